import Base
import Metrics
import Server

/// `/metrics`, `/healthz` and `/readyz` on a listener of their own, for every client that reaches it.
public struct MetricsSite: Application {
    let site: Site

    public init(_ site: Site) { self.site = site }

    public func makeResponder() -> any Responder { MetricsResponder(site) }
}

private final class MetricsResponder: Responder {
    private let site: Site
    private let renderer: PageRenderer

    init(_ site: Site) {
        self.site = site
        renderer = PageRenderer(site)
    }

    func respond(to request: Request) -> Reply {
        if request.path.equals("/metrics") {
            return .now(renderer.metrics(ClientContext(request, sharedWith: site.configuration.allowedOrigins)))
        }
        if request.path.equals("/healthz") { return .now(Response(text: "ok\n")) }
        if request.path.equals("/readyz") { return .now(site.readiness(withDatabase: true)) }
        return .now(Response(.notFound, text: "Not Found: this port serves /metrics, /healthz and /readyz\n"))
    }

    func respond(to rejection: RejectedRequest) -> Response {
        Response(rejection.status, text: rejection.reason + "\n")
    }
}

extension PageRenderer {
    /// All metrics in the Prometheus text format. Written on the event loop, because they matter most while the pool is
    /// busy.
    func metrics(_ client: ClientContext) -> Response {
        document(PrometheusWriter.contentType, .text, client) { body in
            site.registry.write(to: body)
            site.report(to: PrometheusWriter(body))
        } appendCacheControl: {
            $0.append("Cache-Control", "no-store")
        }
    }
}

extension RoutedRequest {
    func healthz() -> Reply { .now(Response(text: "ok\n")) }

    func readyz() -> Reply { .now(site.readiness(withDatabase: site.allowsMetrics(to: request))) }

    func metrics() throws -> Reply {
        try expect(site.allowsMetrics(to: request), .notFound)
        return .now(renderer.metrics(client))
    }
}

extension Site {
    /// Whether the client may read `/metrics`. A proxy on this machine forwards requests from anywhere, and says so in
    /// one of these fields.
    fileprivate func allowsMetrics(to request: Request) -> Bool {
        switch configuration.metrics {
        case .nobody: return false
        case .everybody: return true
        case .loopback:
            let forwarding: [StaticString] = [
                "x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host", "x-forwarded-proto",
            ]
            return request.isFromLoopback && !forwarding.contains { request.has($0) }
        }
    }
}

import Bytes
import HTTP
import Metrics

/// What programs that watch a server ask for, for a listener of its own: `/metrics`, `/healthz` and `/readyz`, to everybody
/// who reaches it.
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
        if request.path.equals("/metrics") { return .now(renderer.metrics(ClientContext(request, site.configuration))) }
        if request.path.equals("/healthz") { return .now(Response(text: "ok\n")) }
        if request.path.equals("/readyz") { return .now(site.readiness()) }
        return .now(Response(.notFound, text: "Not Found: here are /metrics, /healthz and /readyz\n"))
    }

    func respond(to refusal: RejectedRequest) -> Response { Response(refusal.status, text: refusal.reason + "\n") }
}

extension PageRenderer {
    /// All figures, as Prometheus reads them. On the spot: a busy pool is what they may be wanted for.
    func metrics(_ client: ClientContext) -> Response {
        document(PrometheusWriter.contentType, cacheControl: "no-store", client) { site.registry.write(to: $0) }
    }
}

extension Site {
    /// Whether `/metrics` is there for whoever asks. A proxy on this machine asks for the whole world, and says so in one of
    /// these fields.
    func tellsMetrics(to request: Request) -> Bool {
        switch configuration.metrics {
        case .nobody: return false
        case .everybody: return true
        case .loopback:
            let forwarding: [StaticString] = [
                "x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host", "x-forwarded-proto",
            ]
            return request.isFromLoopback && forwarding.allSatisfy { request.value(of: $0) == nil }
        }
    }
}

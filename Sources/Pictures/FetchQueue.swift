import HTTPClient
import People

/// A picture to fetch: its source, and the URL that is asked next.
struct FetchJob: Equatable {
    var source: PictureSource
    var address: WebAddress
    /// The number of redirects so far.
    var redirects = 0
    /// How often its host has asked for a pause instead of answering.
    var pauses = 0
}

/// The pictures to fetch in a run, by host. A value that receives events and times and decides; it does nothing itself.
struct FetchQueue {
    struct Limits: Equatable, Sendable {
        var host = HostSchedule.Limits()
        var redirects = 3
        /// The number of pauses after which a picture is left for a later run.
        var pauses = 3
        /// The longest rest of a host that a run waits for. If it is longer, the host's pictures are left for a later
        /// run.
        var longestRest = Duration.seconds(900)
    }

    /// The next step of a thread that fetches.
    enum Step: Equatable {
        case start(FetchJob)
        case wait(until: Duration)
        /// Until a job is added or ends.
        case waitForChange
    }

    private struct Host {
        var schedule = HostSchedule()
        /// The next one first: of ten thousand that are read ahead, a slice loses it without moving the others.
        var jobs: ArraySlice<FetchJob> = []
    }

    let limits: Limits
    private var hosts: [String: Host] = [:]
    /// The hosts with jobs, in the order in which they take turns.
    private var turns: [String] = []
    /// The number of jobs that wait, and of those that have started.
    private(set) var waiting = 0
    private(set) var active = 0
    /// The number of pictures that are left for a later run, and the time from which the first of their hosts may be
    /// asked.
    private(set) var postponed = 0
    private(set) var comeBack: Duration?

    init(limits: Limits = Limits()) { self.limits = limits }

    var isEmpty: Bool { waiting == 0 && active == 0 }

    mutating func add(_ job: FetchJob, at now: Duration) { insert(job, at: now, isFirst: false) }

    private mutating func insert(_ job: FetchJob, at now: Duration, isFirst: Bool) {
        let name = job.address.host
        var host = hosts.removeValue(forKey: name) ?? Host()
        defer { hosts[name] = host }
        if isResting(host.schedule, at: now) { return postpone(1, until: host.schedule.restsUntil) }
        if host.jobs.isEmpty { turns.append(name) }
        host.jobs.insert(job, at: isFirst ? host.jobs.startIndex : host.jobs.endIndex)
        waiting += 1
    }

    /// Returns the next job that may start, and counts it as started.
    mutating func next(at now: Duration) -> Step {
        var soonest: Duration?
        for index in turns.indices {
            let name = turns[index]
            guard let time = hosts[name]?.schedule.turn(limits.host) else { continue }
            if time > now {
                soonest = min(soonest ?? time, time)
            } else if let job = start(name, at: now) {
                turns.remove(at: index)
                if hosts[name]?.jobs.isEmpty == false { turns.append(name) }
                return .start(job)
            }
        }
        return soonest.map { .wait(until: $0) } ?? .waitForChange
    }

    private mutating func start(_ name: String, at now: Duration) -> FetchJob? {
        guard let job = hosts[name]?.jobs.popFirst() else { return nil }
        hosts[name]?.schedule.start(at: now, limits.host)
        waiting -= 1
        active += 1
        return job
    }

    /// Records the end of a request for `job`, and what follows from it for its host.
    mutating func finish(_ job: FetchJob, _ end: HostSchedule.End, at now: Duration) {
        let name = job.address.host
        hosts[name]?.schedule.finish(end, at: now, limits.host)
        active -= 1
        guard let host = hosts[name], isResting(host.schedule, at: now), !host.jobs.isEmpty else { return }
        hosts[name]?.jobs = []
        turns.removeAll { $0 == name }
        waiting -= host.jobs.count
        postpone(host.jobs.count, until: host.schedule.restsUntil)
    }

    /// Adds the request that a redirect leads to, before other requests to its host. Returns whether there may be
    /// another redirect.
    mutating func follow(_ job: FetchJob, to address: WebAddress, at now: Duration) -> Bool {
        guard job.redirects < limits.redirects else { return false }
        var job = job
        job.redirects += 1
        job.address = address
        insert(job, at: now, isFirst: true)
        return true
    }

    /// Adds a request again whose host has asked for a pause, or leaves it for a later run.
    mutating func retry(_ job: FetchJob, at now: Duration) {
        var job = job
        job.pauses += 1
        guard job.pauses <= limits.pauses else {
            return postpone(1, until: hosts[job.address.host]?.schedule.restsUntil ?? now)
        }
        insert(job, at: now, isFirst: true)
    }

    /// Whether `host` has no request that waits or is under way, so that its connections can be closed.
    func isIdle(_ host: String) -> Bool { hosts[host].map { $0.jobs.isEmpty && $0.schedule.active == 0 } ?? true }

    private func isResting(_ schedule: HostSchedule, at now: Duration) -> Bool {
        schedule.restsUntil - now > limits.longestRest
    }

    private mutating func postpone(_ count: Int, until time: Duration) {
        postponed += count
        comeBack = min(comeBack ?? time, time)
    }
}

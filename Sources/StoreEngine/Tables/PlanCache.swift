import People
import Synchronization

/// The most recently used plans, by the text of their settings. A plan is decoded once and shared by all readers.
final class PlanCache: Sendable {
    static let shared = PlanCache()

    /// More directories than a server usually has.
    private static let maxCount = 256
    private let plans = Mutex<[[UInt8]: FieldPlan]>([:])

    /// Returns the plan of the settings in the column `settings`, which is empty without any.
    func plan(_ text: UnsafeRawBufferPointer) throws -> FieldPlan {
        if text.isEmpty { return FieldPlan.empty }
        return try plans.withLock { plans in
            let key = Array(text)
            if let plan = plans[key] { return plan }
            do throws(SettingsError) {
                let plan = FieldPlan(try DirectorySettings(json: text))
                if plans.count >= Self.maxCount { plans.removeAll() }
                plans[key] = plan
                return plan
            } catch {
                throw StoreError.damage("the settings of a directory cannot be read: \(error.message)")
            }
        }
    }
}

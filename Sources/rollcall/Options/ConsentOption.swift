import ArgumentParser

/// The option of commands that may erase something.
struct ConsentOption: ParsableArguments {
    @Flag(help: "Erase without asking: the values of dropped columns, or the directory that is to be removed.")
    var yes = false
}

/// The option of commands that read a file with settings.
struct ReplaceOption: ParsableArguments {
    @Flag(help: "Put the settings of the file in the place of all present ones.")
    var replace = false
}

/// The option of commands that run unattended: cron sends a mail for whatever they print. What is not needed is left
/// out from the moment on when the command line is understood.
struct QuietOption: ParsableArguments {
    @Flag(help: "Print nothing if all went well, and else only what you must know.")
    var quiet = false

    func validate() { StandardStreams.leavesOutNotes = quiet }
}

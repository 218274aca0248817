using System.Globalization;

namespace NzbDav.Fuzz.Command;

/// <summary>Prints the progress and results of a run. Thread-safe.</summary>
/// <param name="output">Receives the text.</param>
internal sealed class RunReport(TextWriter output)
{
    private readonly Lock _gate = new();

    /// <summary>Prints what is needed to repeat the run.</summary>
    public void Begin(int seed, TimeSpan duration) =>
        Say(string.Create(CultureInfo.InvariantCulture, $"seed {seed}, {duration.TotalSeconds:0.#} s each\n"));

    /// <summary>Prints the names of the columns.</summary>
    public void Head() => Say($"{"parser",-13} {"inputs",13} {"per second",11} {"kept",7} {"branches",9} {"faults",7}\n");

    /// <summary>Prints the result of one parser.</summary>
    public void Row(string name, WorkCounts counts, TimeSpan took) =>
        Say(string.Create(
            CultureInfo.InvariantCulture,
            $"{name,-13} {counts.Runs,13:N0} {counts.Runs / took.TotalSeconds,11:N0} {counts.Kept,7:N0} {counts.Edges,9:N0} " +
            $"{counts.Findings,7}\n"));

    /// <summary>Prints the result of all parsers.</summary>
    public void End(int faults, DirectoryInfo findings) =>
        Say(faults == 0 ? "Nothing is wrong.\n" : $"{faults} {(faults == 1 ? "fault" : "faults")}: see {findings.FullName}\n");

    /// <summary>Prints any other text, which includes its line end.</summary>
    public void Say(string text)
    {
        lock (_gate)
        {
            output.Write(text);
            output.Flush();
        }
    }
}

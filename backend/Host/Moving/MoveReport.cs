using System.Globalization;
using System.Text.Json;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>The result of a migration, as a table for people and as JSON for machines.</summary>
internal sealed class MoveReport(string product, string version, bool isDry)
{
    private readonly Lock _gate = new();

    public List<MovedOutcome> Titles { get; } = [];

    public List<string> SettingsTaken { get; } = [];

    public List<string> SettingsNotTaken { get; } = [];

    /// <summary>Adds the outcome of a title.</summary>
    public void Add(OldTitle title, MoveResult result, string? reason, long? jobId = null)
    {
        lock (_gate)
            Titles.Add(new MovedOutcome(result, title.Category, title.Name, reason, result == MoveResult.Came && title.IsRebuilt, jobId));
    }

    /// <summary>Reserves a place for a title whose import is running.</summary>
    public int Reserve(OldTitle title)
    {
        Add(title, MoveResult.Came, reason: null);
        return Titles.Count - 1;
    }

    /// <summary>Sets the outcome of a title in a reserved place. May be called from any thread, while others add titles.</summary>
    /// <param name="place">From <see cref="Reserve"/>.</param>
    /// <param name="reason">Why it cannot be migrated; null: it was migrated.</param>
    /// <param name="jobId">The job that it became; null: none.</param>
    public void Settle(int place, string? reason, long? jobId)
    {
        lock (_gate)
            Titles[place] = Titles[place] with { Result = reason is null ? MoveResult.Came : MoveResult.CannotCome, Reason = reason, Rebuilt = reason is null && Titles[place].Rebuilt, JobId = jobId };
    }

    /// <summary>Sets the outcome of a title in a reserved place: it was here before.</summary>
    public void Skip(int place, string reason, long? jobId)
    {
        lock (_gate)
            Titles[place] = Titles[place] with { Result = MoveResult.Skipped, Reason = reason, Rebuilt = false, JobId = jobId };
    }

    /// <summary>Writes the table: first counts, then each title that cannot be migrated.</summary>
    public void Print(TextWriter output)
    {
        output.WriteLine();
        output.WriteLine($"{product}, {version}{(isDry ? ": a dry run, nothing was changed" : "")}");
        var came = Titles.Where(title => title.Result == MoveResult.Came).ToArray();
        var rebuilt = came.Count(title => title.Rebuilt);
        Row(output, isDry ? "Would be migrated" : "Migrated", came.Length, rebuilt == 0 ? "" : Text($"{rebuilt:n0} of them with a rebuilt .nzb"));
        Group(output, "Skipped", MoveResult.Skipped);
        Group(output, "Cannot be migrated", MoveResult.CannotCome);
        Lines(output, isDry ? "Settings to take over" : "Settings taken over", SettingsTaken);
        Lines(output, "Settings not taken over", SettingsNotTaken);
    }

    /// <summary>Writes the same as JSON.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(string path) => File.WriteAllBytes(path, JsonSerializer.SerializeToUtf8Bytes(
        new MoveBody(
            product,
            version,
            isDry,
            [.. Of(MoveResult.Came)],
            [.. Of(MoveResult.Skipped)],
            [.. Of(MoveResult.CannotCome)],
            SettingsTaken,
            SettingsNotTaken),
        MoveJson.Default.MoveBody));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static void Row(TextWriter output, string what, int count, string more) => output.WriteLine(Text($"  {what,-24}{count,9:n0}  {more}").TrimEnd());

    private static void Lines(TextWriter output, string what, List<string> lines)
    {
        Row(output, what, lines.Count, "");
        foreach (var line in lines)
            output.WriteLine($"      {line}");
    }

    private void Group(TextWriter output, string what, MoveResult result)
    {
        var titles = Titles.Where(title => title.Result == result).ToArray();
        Row(output, what, titles.Length, "");
        if (result == MoveResult.Skipped)
        {
            foreach (var reason in titles.GroupBy(title => title.Reason, StringComparer.Ordinal).OrderByDescending(group => group.Count()))
                output.WriteLine(Text($"      {reason.Count():n0} × {reason.Key}"));
            return;
        }

        foreach (var title in titles)
            output.WriteLine($"      {title.Title}: {title.Reason}");
    }

    private IEnumerable<MoveTitleBody> Of(MoveResult result) => Titles.Where(title => title.Result == result).Select(title => new MoveTitleBody(title.Category, title.Name, title.Reason, title.Rebuilt));
}

using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Migration.Titles;

namespace NzbDav.Host.Moving;

/// <summary>The result of a migration, as a table for people and as JSON for machines.</summary>
internal sealed class MoveReport(string product, string version, bool isDry)
{
    private readonly Lock _gate = new();

    public List<MovedOutcome> Titles { get; } = [];

    public List<string> SettingsMigrated { get; } = [];

    public List<string> SettingsNotMigrated { get; } = [];

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
    public void SetOutcome(int place, string? reason, long? jobId)
    {
        lock (_gate)
            Titles[place] = Titles[place] with
            {
                Result = reason is null ? MoveResult.Came : MoveResult.CannotCome,
                Reason = reason,
                Rebuilt = reason is null && Titles[place].Rebuilt,
                JobId = jobId
            };
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
        Row(output, isDry ? "Would be migrated" : "Migrated", came.Length,
            rebuilt == 0 ? "" : Text($"{rebuilt:n0} of them with a rebuilt .nzb"));
        Group(output, "Skipped", MoveResult.Skipped);
        Group(output, "Cannot be migrated", MoveResult.CannotCome);
        Lines(output, isDry ? "Settings to take over" : "Settings taken over", SettingsMigrated);
        Lines(output, "Settings not taken over", SettingsNotMigrated);
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
            SettingsMigrated,
            SettingsNotMigrated),
        MoveJson.Default.MoveBody));

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private static void Row(TextWriter output, string what, int count, string more) =>
        output.WriteLine(Text($"  {what,-24}{count,9:n0}  {more}").TrimEnd());

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

    private IEnumerable<MoveTitleBody> Of(MoveResult result) => Titles.Where(title => title.Result == result)
        .Select(title => new MoveTitleBody(title.Category, title.Name, title.Reason, title.Rebuilt));
}

/// <summary>Outcome of migrating one title.</summary>
/// <param name="Result">Whether it was migrated.</param>
/// <param name="Category">Its category in the other program.</param>
/// <param name="Name">Its name in the other program.</param>
/// <param name="Reason">Why not, as a sentence; null if it was migrated.</param>
/// <param name="Rebuilt">Its .nzb was rebuilt from message-ids.</param>
/// <param name="JobId">The job that it became; null: none.</param>
internal sealed record MovedOutcome(
    MoveResult Result, string Category, string Name, string? Reason, bool Rebuilt = false, long? JobId = null)
{
    /// <summary>Category and name.</summary>
    public string Title => Category.Length == 0 ? Name : $"{Category}/{Name}";
}

/// <summary>Outcome of migrating a title.</summary>
internal enum MoveResult
{
    /// <summary>Migrated: it is in the library or in the queue.</summary>
    Came,

    /// <summary>Left out for a reason that is not a fault.</summary>
    Skipped,

    /// <summary>It cannot be migrated.</summary>
    CannotCome,
}

/// <summary>What <c>nzbdav migrate --json</c> writes.</summary>
/// <param name="Product">The other program.</param>
/// <param name="Version">Version of its data.</param>
/// <param name="DryRun">Nothing was changed.</param>
/// <param name="Came">Titles that were migrated, or would be.</param>
/// <param name="Skipped">Titles that were left out, with reasons.</param>
/// <param name="CannotCome">Titles that cannot be migrated, with reasons.</param>
/// <param name="SettingsTaken">Settings that were taken over, one sentence each.</param>
/// <param name="SettingsNotTaken">Settings that were not taken over, one sentence each.</param>
internal sealed record MoveBody(
    string Product, string Version, bool DryRun, IReadOnlyList<MoveTitleBody> Came, IReadOnlyList<MoveTitleBody> Skipped,
    IReadOnlyList<MoveTitleBody> CannotCome, IReadOnlyList<string> SettingsTaken, IReadOnlyList<string> SettingsNotTaken);

/// <summary>A title in <see cref="MoveBody"/>.</summary>
/// <param name="Category">Its category in the other program.</param>
/// <param name="Name">Its name in the other program.</param>
/// <param name="Reason">Why it was not migrated; null: it was.</param>
/// <param name="Rebuilt">Its .nzb was rebuilt from message-ids.</param>
internal sealed record MoveTitleBody(string Category, string Name, string? Reason, bool Rebuilt);

/// <summary>JSON serialization of the report of a migration.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, WriteIndented = true,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(MoveBody))]
internal sealed partial class MoveJson : JsonSerializerContext;

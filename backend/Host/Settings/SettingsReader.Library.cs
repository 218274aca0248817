using NzbDav.Library.Export;
using NzbDav.Library.Filling;
using NzbDav.Library.Health;
using NzbDav.Library.Holding;

namespace NzbDav.Host.Settings;

public sealed partial class SettingsReader
{
    private const int MostDays = 3_650;

    private HealthOptions ReadHealth()
    {
        var defaults = new HealthOptions();
        var action = Choice("Health:Action", "repair") switch
        {
            null or "repair" => HealthAction.Repair,
            "check" => HealthAction.Check,
            "replace" => HealthAction.Replace,
            _ => (HealthAction?)null,
        };
        if (action is null)
            Fault("Health:Action", "it must be check, repair or replace.");
        return new HealthOptions
        {
            StatsPerDay = Number("Health:StatsPerDay", defaults.StatsPerDay, 0, 10_000_000),
            RemovalsPerDay = Number("Health:RemovalsPerDay", defaults.RemovalsPerDay, 0, 1_000),
            Action = action ?? defaults.Action,
        };
    }

    private KeepingOptions ReadKeeping()
    {
        var defaults = new KeepingOptions();
        var folders = Names("Library:Folders", []);
        foreach (var folder in folders.Where(folder => !Path.IsPathFullyQualified(folder) || folder.TrimEnd('/').Length == 0))
            Fault("Library:Folders", $"'{folder}' is not an absolute path such as /library/tv.");
        return new KeepingOptions
        {
            Folders = [.. folders.Select(folder => folder.TrimEnd('/')).Distinct(StringComparer.Ordinal)],
            ReadEvery = TimeSpan.FromMinutes(Number("Library:ReadMinutes", (int)defaults.ReadEvery.TotalMinutes, 1, 1_440)),
            HideAfter = TimeSpan.FromDays(Number("Library:HideAfterDays", (int)defaults.HideAfter.TotalDays, 0, MostDays)),
            DeleteAfter = TimeSpan.FromDays(Number("Library:DeleteAfterDays", (int)defaults.DeleteAfter.TotalDays, 1, MostDays)),
            Trial = TimeSpan.FromDays(Number("Library:TrialDays", (int)defaults.Trial.TotalDays, 0, MostDays)),
            MostShare = Number("Library:MostPercent", (int)Math.Round(defaults.MostShare * 100), 1, 100) / 100.0,
        };
    }

    private List<ExportOptions> ReadTwins()
    {
        var twins = new List<ExportOptions>();
        var details = Flag("Export:Nfo", otherwise: false);
        Read("Export:Strm", addresses: true);
        Read("Export:Symlinks", addresses: false);
        return twins;

        void Read(string path, bool addresses)
        {
            foreach (var pair in Names(path, []))
            {
                var parts = pair.Split('=', 2, StringSplitOptions.TrimEntries);
                if (parts is not [{ Length: > 0 } category, { Length: > 1 } folder] || category.Contains('/', StringComparison.Ordinal)
                    || !Path.IsPathFullyQualified(folder))
                {
                    Fault(path, $"'{pair}' is not a category with a folder, such as movies=/library/movies.");
                    continue;
                }

                folder = Path.GetFullPath(folder).TrimEnd('/');
                if (twins.Find(twin => IsIn(twin.Folder, folder) || IsIn(folder, twin.Folder)) is { } other)
                    Fault(path,
                        $"{folder} and {other.Folder} are the same folder or one in the other: each category needs one of its own.");
                twins.Add(new ExportOptions
                { Folder = folder, Category = category, Addresses = addresses, Links = !addresses, Details = details, Follows = true });
            }
        }

        static bool IsIn(string inner, string outer) => (inner + "/").StartsWith(outer + "/", StringComparison.Ordinal);
    }

    private HolePolicy ReadHoles()
    {
        var text = Choice("Usenet:Holes", "fail");
        if (text is not (null or "fail" or "zeros"))
            Fault("Usenet:Holes", $"'{text}' is neither fail nor zeros.");
        return text == "zeros" ? HolePolicy.Zeros : HolePolicy.Fail;
    }
}

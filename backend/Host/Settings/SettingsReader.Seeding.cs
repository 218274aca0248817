using System.Globalization;
using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;

namespace NzbDav.Host.Settings;

/// <content>How torrents are kept and seeded.</content>
public sealed partial class SettingsReader
{
    private string? ReadKeepFolder()
    {
        var folder = Text("Torrents:KeepFolder");
        if (folder is null || Path.IsPathRooted(folder))
            return folder;
        Fault("Torrents:KeepFolder", $"'{folder}' is not an absolute path.");
        return null;
    }

    private SeedingOptions ReadSeeding()
    {
        var defaults = new SeedingOptions();
        return new SeedingOptions
        {
            KeepCategories = Names("Torrents:KeepCategories", []),
            Categories = ReadCategoryPolicies(),
            Limits = new SharePolicy
            {
                Ratio = ReadRatio(),
                SeedTime = Number("Torrents:SeedMinutes", 0, 0, 5_256_000) is > 0 and var minutes ? TimeSpan.FromMinutes(minutes) : null,
                IdleTime = Number("Torrents:SeedIdleMinutes", 0, 0, 5_256_000) is > 0 and var idle ? TimeSpan.FromMinutes(idle) : null,
                NeedsBoth = Picked("Torrents:SeedUntil", "either", ("either", false), ("both", true)),
                AtLimit = Picked("Torrents:AtLimit", "stop", ("stop", LimitAction.Stop), ("remove", LimitAction.Remove), ("removeData", LimitAction.RemoveData)),
            },
            KeepPrivate = Flag("Torrents:KeepPrivate", defaults.KeepPrivate),
            KeepFree = (long)Number("Torrents:KeepFreeMiB", (int)(defaults.KeepFree >> 20), 0, 67_108_864) << 20,
            MaxActiveDownloads = Number("Torrents:MaxActiveDownloads", defaults.MaxActiveDownloads, 0, 10_000),
            MaxActiveSeeds = Number("Torrents:MaxActiveSeeds", defaults.MaxActiveSeeds, 0, 10_000),
            WaitForCopy = Flag("Torrents:WaitForCopy", defaults.WaitForCopy),
            CopyPatience = TimeSpan.FromMinutes(Number("Torrents:CopyMinutes", (int)defaults.CopyPatience.TotalMinutes, 0, 525_600)),
        };
    }

    private Dictionary<string, CategoryPolicy> ReadCategoryPolicies()
    {
        var policies = new Dictionary<string, CategoryPolicy>(StringComparer.OrdinalIgnoreCase);
        foreach (var text in Names("Torrents:CategoryPolicies", []))
        {
            if (CategoryPolicy.Parse(text) is not { } read)
                Fault("Torrents:CategoryPolicies", $"'{text}' is not a policy such as {CategoryPolicy.Example}.");
            else if (!policies.TryAdd(read.Category, read.Policy))
                Fault("Torrents:CategoryPolicies", $"'{read.Category}' has two policies.");
        }

        return policies;
    }

    /// <summary>0: no limit.</summary>
    private double? ReadRatio()
    {
        if (Text("Torrents:Ratio", "0") is not { } text)
            return null;
        if (double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var ratio) && ratio is >= 0 and <= 10_000)
            return ratio > 0 ? ratio : null;
        Fault("Torrents:Ratio", $"'{text}' is not a ratio such as 1.5; 0 is no limit.");
        return null;
    }

    /// <summary>One of several words; the first of them if the text is none of these.</summary>
    private T Picked<T>(string path, string otherwise, params (string Word, T Value)[] words)
    {
        var text = Choice(path, otherwise) ?? otherwise;
        foreach (var (word, value) in words)
        {
            if (word.Equals(text, StringComparison.OrdinalIgnoreCase))
                return value;
        }

        Fault(path, $"'{text}' is not one of {string.Join(", ", words.Select(static word => word.Word))}.");
        return words[0].Value;
    }
}

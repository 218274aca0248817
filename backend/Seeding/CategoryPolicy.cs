using System.Globalization;
using NzbDav.Catalog.Torrents;

namespace NzbDav.Seeding;

/// <summary>A category's exceptions to the general policy for keeping and seeding torrents. Immutable.</summary>
/// <param name="Policy">The settings that differ; null values mean the general setting.</param>
/// <param name="NeedsBoth">Like <see cref="SharePolicy.NeedsBoth"/>; null means the general setting.</param>
public sealed record CategoryPolicy(TorrentPolicy Policy, bool? NeedsBoth)
{
    /// <summary>Example of the format.</summary>
    public const string Example = "tv=keep ratio:2 minutes:10080 both remove";

    private const int MostMinutes = 5_256_000;

    /// <summary>
    /// Parses <c>CATEGORY=WORDS</c>. Words: <c>keep</c> or <c>stream</c>; <c>ratio:N</c>, <c>minutes:N</c> and <c>idle:N</c> (0: no such
    /// limit), <c>forever</c> for none of them; <c>either</c> or <c>both</c>; <c>stop</c>, <c>remove</c> or <c>removeData</c>. Case does
    /// not matter.
    /// </summary>
    /// <returns>Null if the text is invalid.</returns>
    public static (string Category, CategoryPolicy Policy)? Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        if (equals < 0 || text[..equals].Trim() is not { Length: > 0 } category)
            return null;
        var policy = new CategoryPolicy(new TorrentPolicy(), null);
        foreach (var word in text[(equals + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            if (policy.ParseWord(word) is not { } next)
                return null;
            policy = next;
        }

        return (category, policy);
    }

    private CategoryPolicy? ParseWord(string word) => word.ToUpperInvariant() switch
    {
        "KEEP" => With(Policy with { Keep = true }),
        "STREAM" => With(Policy with { Keep = false }),
        "FOREVER" => With(
            Policy with { Ratio = TorrentPolicy.Unlimited, SeedMinutes = TorrentPolicy.Unlimited, IdleMinutes = TorrentPolicy.Unlimited }),
        "EITHER" => this with { NeedsBoth = false },
        "BOTH" => this with { NeedsBoth = true },
        "STOP" => With(Policy with { AtLimit = LimitAction.Stop }),
        "REMOVE" => With(Policy with { AtLimit = LimitAction.Remove }),
        "REMOVEDATA" => With(Policy with { AtLimit = LimitAction.RemoveData }),
        var other when Value(other, "RATIO:") is { } value =>
            double.TryParse(value, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var ratio) && ratio <= 10_000
                ? With(Policy with { Ratio = ratio > 0 ? ratio : TorrentPolicy.Unlimited }) : null,
        var other when Value(other, "MINUTES:") is { } value =>
            Minutes(value) is { } minutes ? With(Policy with { SeedMinutes = minutes }) : null,
        var other when Value(other, "IDLE:") is { } value =>
            Minutes(value) is { } minutes ? With(Policy with { IdleMinutes = minutes }) : null,
        _ => null,
    };

    private CategoryPolicy With(TorrentPolicy policy) => this with { Policy = policy };

    private static string? Value(string word, string name) => word.StartsWith(name, StringComparison.Ordinal) ? word[name.Length..] : null;

    private static int? Minutes(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var minutes) && minutes <= MostMinutes
            ? minutes > 0 ? minutes : TorrentPolicy.Unlimited : null;
}

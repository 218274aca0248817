using System.Globalization;
using NzbDav.Catalog.Links;

namespace NzbDav.Library.Links;

/// <summary>
/// Stable paths: <c>/.ids/4/7/0/f/a/00c1…470fa</c>, five single hexadecimal digits and the file's id in sixteen. The digits are the last
/// five of the id, which are random, so that no folder grows large. A path is valid as long as its file exists, even if it is renamed or
/// moved.
/// </summary>
internal static class IdPath
{
    /// <summary>The top-level collection of these paths.</summary>
    public const string Top = ".ids";

    /// <summary>Folders between <c>/.ids</c> and the files.</summary>
    public const int Levels = 5;

    private const int IdDigits = 16;

    /// <summary>The last part of the path: the id in sixteen digits.</summary>
    public static string NameOf(long id) => id.ToString("x16", CultureInfo.InvariantCulture);

    /// <summary>The stable path of a file, from the root of the tree.</summary>
    public static string Of(long id)
    {
        var name = NameOf(id);
        var shard = name.AsSpan(IdDigits - Levels);
        return $"/{Top}/{shard[0]}/{shard[1]}/{shard[2]}/{shard[3]}/{shard[4]}/{name}";
    }

    /// <summary>The digits of a folder below <c>/.ids</c> as a number; null unless each name is one lower-case hexadecimal digit.</summary>
    public static int? TryPrefix(ReadOnlySpan<string> names)
    {
        var prefix = 0;
        foreach (var name in names)
        {
            if (name is not [(>= '0' and <= '9') or (>= 'a' and <= 'f')])
                return null;
            prefix = (prefix * 16) + Convert.ToInt32(name, 16);
        }

        return prefix;
    }

    /// <summary>The id that a name stands for; null if it is not an id.</summary>
    public static long? TryId(string name) =>
        name.Length == IdDigits && long.TryParse(name, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var id) && id > 0
            && NameOf(id) == name ? id : null;

    /// <summary>The id that a name stands for; null if it is not an id, or belongs into another shard.</summary>
    public static long? TryId(string name, int shard) =>
        TryId(name) is { } id && LinkStore.ShardOf(id) == shard ? id : null;
}

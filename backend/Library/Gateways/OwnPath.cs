using System.Globalization;

namespace NzbDav.Library.Gateways;

/// <summary>
/// Paths under which the other gateways read files of the torrents that this one owns: <c>/.own/ID</c>. What is read there never comes from another gateway, so no request goes in a circle.
/// </summary>
internal static class OwnPath
{
    /// <summary>The collection at the top of the tree that they begin with. Never listed.</summary>
    public const string Top = ".own";

    /// <summary>The path of a file, from the root of the tree.</summary>
    public static string Of(long id) => string.Create(CultureInfo.InvariantCulture, $"/{Top}/{id:x16}");

    /// <summary>The id that a name stands for; null if it is none.</summary>
    public static long? TryId(string name) => long.TryParse(name, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var id) && id > 0 ? id : null;
}

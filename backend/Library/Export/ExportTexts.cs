using System.Globalization;
using System.Security;
using System.Text;
using NzbDav.Library.Links;
using NzbDav.Library.Media;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Export;

/// <summary>Generates the content of the small files. Thread-safe.</summary>
/// <param name="options">What is exported.</param>
/// <param name="views">Signs addresses.</param>
internal sealed class ExportTexts(ExportOptions options, ViewLinks views)
{
    private readonly LinkTexts _links = new(options.MountPath, options.AddressRoot, views);

    /// <summary>The content of a file, or the target of a link.</summary>
    public byte[] Of(ExportEntry entry) => Encoding.UTF8.GetBytes(entry.Form switch
    {
        ExportForm.Address => _links.AddressTo(options.Follows ? LibraryStore.PlayPath(entry.Id) : IdPath.Of(entry.Id), entry.Name),
        ExportForm.Link => _links.PathTo(options.Follows ? $"/{entry.Parent}/{entry.Name}" : IdPath.Of(entry.Id)),
        _ => NfoText.Of(entry.Name, new DateTimeOffset(entry.CreatedTicks, TimeSpan.Zero)),
    });
}

/// <summary>
/// The text of an .nfo file as Kodi, Jellyfin and Emby read it: title and year, or series, season and episode, if the file's name tells
/// them clearly, and the date when the file was added. Everything else is left out, so that media servers look it up.
/// </summary>
internal static class NfoText
{
    /// <param name="name">The file's name.</param>
    /// <param name="created">When it was added to the tree.</param>
    public static string Of(string name, DateTimeOffset created)
    {
        var stem = Path.GetFileNameWithoutExtension(name);
        var text = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>\n");
        var read = ReleaseName.Find(stem);
        var root = read?.Episode is null ? "movie" : "episodedetails";
        text.Append('<').Append(root).Append(">\n");
        if (read?.Episode is { } episode)
        {
            Element("showtitle", read.Title);
            Element("season", episode.Season.ToString(CultureInfo.InvariantCulture));
            Element("episode", episode.First.ToString(CultureInfo.InvariantCulture));
        }
        else if (read?.Year is { } year)
        {
            Element("title", read.Title);
            Element("year", year.ToString(CultureInfo.InvariantCulture));
        }

        Element("dateadded", created.UtcDateTime.ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture));
        Element("original_filename", name);
        return text.Append("</").Append(root).Append(">\n").ToString();

        void Element(string element, string value)
        {
            if (value.Length > 0)
                text.Append("  <").Append(element).Append('>').Append(SecurityElement.Escape(Printable(value))).Append("</").Append(element)
                    .Append(">\n");
        }
    }

    /// <summary>Replaces what XML 1.0 cannot contain, not even escaped: control characters, U+FFFE and U+FFFF.</summary>
    private static string Printable(string value) =>
        string.Concat(value.Select(static letter => letter is < ' ' or '\ufffe' or '\uffff' ? '_' : letter));
}

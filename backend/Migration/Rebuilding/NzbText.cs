using System.Globalization;
using System.Text;
using System.Xml;

namespace NzbDav.Migration.Rebuilding;

/// <summary>Writes .nzb files from other programs' records of posts.</summary>
internal sealed class NzbText : IDisposable
{
    private readonly MemoryStream _bytes = new();
    private readonly XmlWriter _xml;

    /// <param name="password">Password of its archives; null: none.</param>
    public NzbText(string? password)
    {
        _xml = XmlWriter.Create(_bytes, new XmlWriterSettings
        { Encoding = new UTF8Encoding(encoderShouldEmitUTF8Identifier: false), CheckCharacters = false, CloseOutput = false });
        _xml.WriteStartElement("nzb", "http://www.newzbin.com/DTD/2003/nzb");
        if (password is null)
            return;
        _xml.WriteStartElement("head");
        _xml.WriteStartElement("meta");
        _xml.WriteAttributeString("type", "password");
        _xml.WriteString(Clean(password));
        _xml.WriteEndElement();
        _xml.WriteEndElement();
    }

    /// <summary>Adds a posted file.</summary>
    /// <param name="subject">As it was posted, or derived from a name by <see cref="SubjectOf"/>.</param>
    /// <param name="poster">Who posted it; null: not known.</param>
    /// <param name="date">When, in Unix seconds; 0: not known.</param>
    /// <param name="groups">Where.</param>
    /// <param name="segments">Its articles: number, encoded bytes, message-id.</param>
    public void Add(
        string subject, string? poster, long date, IEnumerable<string> groups, IEnumerable<(int Number, long Bytes, string Id)> segments)
    {
        _xml.WriteStartElement("file");
        _xml.WriteAttributeString("poster", Clean(poster ?? "unknown"));
        _xml.WriteAttributeString("date", Math.Max(0, date).ToString(CultureInfo.InvariantCulture));
        _xml.WriteAttributeString("subject", Clean(subject));
        _xml.WriteStartElement("groups");
        foreach (var group in groups.DefaultIfEmpty("alt.binaries"))
            _xml.WriteElementString("group", Clean(group));
        _xml.WriteEndElement();
        _xml.WriteStartElement("segments");
        foreach (var (number, bytes, id) in segments)
        {
            _xml.WriteStartElement("segment");
            _xml.WriteAttributeString("bytes", bytes.ToString(CultureInfo.InvariantCulture));
            _xml.WriteAttributeString("number", number.ToString(CultureInfo.InvariantCulture));
            _xml.WriteString(Clean(id));
            _xml.WriteEndElement();
        }

        _xml.WriteEndElement();
        _xml.WriteEndElement();
    }

    /// <summary>Adds a posted file whose name, size and ids are known.</summary>
    public void Add(string name, int number, int of, long size, IReadOnlyList<string> articles)
    {
        // Encoded bytes are some 3 % more than decoded ones.
        var each = Math.Max(1, size / Math.Max(1, articles.Count) * 103 / 100);
        Add(SubjectOf(name, number, of, articles.Count), poster: null, date: 0, [], articles.Select((id, index) => (index + 1, each, id)));
    }

    /// <summary>Ends the document.</summary>
    public byte[] Finish()
    {
        _xml.WriteEndElement();
        _xml.Flush();
        return _bytes.ToArray();
    }

    public void Dispose()
    {
        _xml.Dispose();
        _bytes.Dispose();
    }

    /// <summary>A subject in the style of posting programs.</summary>
    private static string SubjectOf(string name, int number, int of, int articles) =>
        string.Create(CultureInfo.InvariantCulture, $"[{number}/{of}] - \"{name.Replace('"', '\'')}\" yEnc (1/{articles})");

    /// <summary>Removes characters that XML cannot contain.</summary>
    private static string Clean(string text) => text.All(XmlConvert.IsXmlChar) ? text : new string([.. text.Where(XmlConvert.IsXmlChar)]);
}

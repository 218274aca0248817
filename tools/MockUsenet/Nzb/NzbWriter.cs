using System.Globalization;
using System.Text;
using System.Xml;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Nzb;

/// <summary>Writes NZB 1.1 documents (http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd).</summary>
public static class NzbWriter
{
    private const string Namespace = "http://www.newzbin.com/DTD/2003/nzb";

    /// <summary>Returns the document as UTF-8.</summary>
    public static byte[] ToBytes(IEnumerable<PostedFile> files, NzbOptions? options = null)
    {
        using var stream = new MemoryStream();
        Write(stream, files, options);
        return stream.ToArray();
    }

    /// <summary>Writes to a stream that stays open.</summary>
    public static void Write(Stream destination, IEnumerable<PostedFile> files, NzbOptions? options = null)
    {
        options ??= new NzbOptions();
        using var xml = XmlWriter.Create(destination, new XmlWriterSettings { Indent = true, Encoding = new UTF8Encoding(false) });
        xml.WriteStartDocument();
        xml.WriteDocType("nzb", "-//newzBin//DTD NZB 1.1//EN", "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd", null);
        xml.WriteStartElement("nzb", Namespace);
        WriteHead(xml, options.Meta);
        foreach (var file in Ordered(files, options.ShuffleFiles))
        {
            var segments = Ordered(file.Segments, options.ShuffleSegments).Where(segment => options.Include?.Invoke(segment) ?? true)
                .ToArray();
            foreach (var listed in options.FilePerSegment ? segments.Chunk(1) : [segments])
                WriteFile(xml, file, listed, options);
        }

        xml.WriteEndElement();
        xml.WriteEndDocument();
    }

    private static void WriteHead(XmlWriter xml, IReadOnlyList<KeyValuePair<string, string>> meta)
    {
        if (meta.Count == 0)
            return;
        xml.WriteStartElement("head", Namespace);
        foreach (var (type, value) in meta)
        {
            xml.WriteStartElement("meta", Namespace);
            xml.WriteAttributeString("type", type);
            xml.WriteString(value);
            xml.WriteEndElement();
        }

        xml.WriteEndElement();
    }

    private static void WriteFile(XmlWriter xml, PostedFile file, PostedSegment[] segments, NzbOptions options)
    {
        xml.WriteStartElement("file", Namespace);
        xml.WriteAttributeString("poster", file.Options.Poster);
        xml.WriteAttributeString("date", file.Options.Date.ToUnixTimeSeconds().ToString(CultureInfo.InvariantCulture));
        xml.WriteAttributeString("subject", options.FilePerSegment ? file.SubjectOf(segments[0].Index) : file.Subject);
        xml.WriteStartElement("groups", Namespace);
        foreach (var group in file.Options.Groups)
            xml.WriteElementString("group", Namespace, group);
        xml.WriteEndElement();
        xml.WriteStartElement("segments", Namespace);
        foreach (var segment in segments)
        {
            var number = options.FilePerSegment ? 1 : options.Number?.Invoke(segment) ?? segment.Number;
            WriteSegment(xml, segment, number);
            foreach (var copy in options.Copies?.Invoke(segment) ?? [])
                WriteSegment(xml, copy, number);
        }

        xml.WriteEndElement();
        xml.WriteEndElement();
    }

    private static void WriteSegment(XmlWriter xml, PostedSegment segment, int number)
    {
        xml.WriteStartElement("segment", Namespace);
        xml.WriteAttributeString("bytes", segment.EncodedSize.ToString(CultureInfo.InvariantCulture));
        xml.WriteAttributeString("number", number.ToString(CultureInfo.InvariantCulture));
        xml.WriteString(segment.MessageId);
        xml.WriteEndElement();
    }

    private static IEnumerable<T> Ordered<T>(IEnumerable<T> items, int? seed)
    {
        if (seed is not { } given)
            return items;
        var all = items.ToArray();
        new Random(given).Shuffle(all);
        return all;
    }
}

/// <summary>The content of an NZB besides its files.</summary>
public sealed record NzbOptions
{
    /// <summary>The meta elements of the head, by type: title, password, category, tag. None = no head.</summary>
    public IReadOnlyList<KeyValuePair<string, string>> Meta { get; init; } = [];

    /// <summary>Put the segments of each file in a random order chosen by this seed; null = by number.</summary>
    public int? ShuffleSegments { get; init; }

    /// <summary>Put the files in a random order chosen by this seed; null = as given.</summary>
    public int? ShuffleFiles { get; init; }

    /// <summary>The number under which a segment is listed; null: its own.</summary>
    public Func<PostedSegment, int>? Number { get; init; }

    /// <summary>Leaves out the segments for which this returns false, as in an NZB made from an incomplete index.</summary>
    public Func<PostedSegment, bool>? Include { get; init; }

    /// <summary>
    /// Further articles listed under a segment's number, as in a post that was repaired by posting missing articles again.
    /// </summary>
    public Func<PostedSegment, IEnumerable<PostedSegment>>? Copies { get; init; }

    /// <summary>Writes each segment in a <c>file</c> element of its own, with the subject of its article, as search engines do that do not
    /// collect parts.</summary>
    public bool FilePerSegment { get; init; }
}

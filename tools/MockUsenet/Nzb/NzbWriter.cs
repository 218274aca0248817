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
            var segments = Ordered(file.Segments, options.ShuffleSegments).Where(segment => options.Include?.Invoke(segment) ?? true).ToArray();
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

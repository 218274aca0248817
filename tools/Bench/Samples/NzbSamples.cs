using System.Globalization;
using System.Text;

namespace NzbDav.Bench.Samples;

/// <summary>.nzb documents as indexers write them.</summary>
internal static class NzbSamples
{
    /// <summary>Number of articles in one volume: 100 MB at 700 KB each.</summary>
    private const int SegmentsPerFile = 146;

    /// <summary>Length of a message-id without its brackets, as made by the most common posting program.</summary>
    public const int IdLength = 38;

    /// <summary>A document with this many segments in files of 146, as indented UTF-8.</summary>
    public static byte[] Document(int segments)
    {
        var xml = new StringBuilder(segments * 110);
        xml.Append(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE nzb PUBLIC \"-//newzBin//DTD NZB 1.1//EN\" " +
            "\"http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd\">\n");
        xml.Append(
            "<nzb xmlns=\"http://www.newzbin.com/DTD/2003/nzb\">\n  <head>\n    <meta type=\"title\">A.file.name-group</meta>\n  " +
            "</head>\n");
        for (var written = 0; written < segments; written += SegmentsPerFile)
            AppendFile(xml, written, Math.Min(SegmentsPerFile, segments - written));
        return Encoding.UTF8.GetBytes(xml.Append("</nzb>\n").ToString());
    }

    private static void AppendFile(StringBuilder xml, int first, int count)
    {
        var culture = CultureInfo.InvariantCulture;
        var volume = first / SegmentsPerFile;
        xml.Append(
            culture, $"  <file poster=\"poster &lt;poster@example.com&gt;\" date=\"1700000000\" subject=\"[{volume + 1}/99] - " +
            $"&quot;A.file.name-group.part{volume:000}.rar&quot; yEnc (1/{count})\">\n");
        xml.Append("    <groups>\n      <group>alt.binaries.example</group>\n    </groups>\n    <segments>\n");
        for (var i = 0; i < count; i++)
            xml.Append(culture, $"      <segment bytes=\"739812\" number=\"{i + 1}\">{Id(first + i)}</segment>\n");
        xml.Append("    </segments>\n  </file>\n");
    }

    private static string Id(int segment) => string.Create(
        CultureInfo.InvariantCulture, $"{(uint)(segment * 2654435761L):x8}{segment:x8}Part{VolumeOf(segment):x4}of0063@news.local");

    private static int VolumeOf(int segment) => segment / SegmentsPerFile;
}

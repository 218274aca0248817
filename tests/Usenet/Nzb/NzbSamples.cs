using System.Text;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Tests.Nzb;

internal static class NzbSamples
{
    public const string WellFormed = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE nzb PUBLIC "-//newzBin//DTD NZB 1.1//EN" "http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd">
        <nzb xmlns="http://www.newzbin.com/DTD/2003/nzb">
          <head>
            <meta type="title">Some &amp; thing</meta>
            <meta type="password">s3cret</meta>
            <meta type="Password">other</meta>
          </head>
          <!-- <file> in a comment -->
          <file poster="Joe &lt;joe@example.com&gt;" date="1700000000" subject="[1/2] - &quot;name.part1.rar&quot; yEnc (1/2)">
            <groups><group>alt.binaries.test</group><group>alt.binaries.other</group></groups>
            <segments>
              <segment bytes="739811" number="1">abc$1@news.example</segment>
              <segment bytes="239811" number="2">abc$2@news.example</segment>
            </segments>
          </file>
          <file poster="Joe" date="1700000001" subject="[2/2] - &quot;name.part2.rar&quot; yEnc (1/1)">
            <groups><group>alt.binaries.test</group></groups>
            <segments><segment bytes="5" number="1">abc$3@news.example</segment></segments>
          </file>
        </nzb>
        """;

    public static NzbReadResult Read(string nzb, NzbReaderOptions? options = null) => Read(Encoding.UTF8.GetBytes(nzb), options);

    public static NzbReadResult Read(byte[] nzb, NzbReaderOptions? options = null) => NzbReader.Read(new MemoryStream(nzb), options);

    public static NzbDocument Document(string nzb) => Document(Encoding.UTF8.GetBytes(nzb));

    public static NzbDocument Document(byte[] nzb)
    {
        var result = Read(nzb);
        Assert.True(result.Succeeded, result.Error?.ToString());
        return result.Document;
    }

    public static NzbError Error(string nzb, NzbReaderOptions? options = null) => Error(Encoding.UTF8.GetBytes(nzb), options);

    public static NzbError Error(byte[] nzb, NzbReaderOptions? options = null)
    {
        var result = Read(nzb, options);
        Assert.False(result.Succeeded);
        Assert.Null(result.Document);
        return result.Error;
    }

    /// <summary>A document with one file, of which the test gives the segments.</summary>
    public static string WithSegments(string segments) =>
        $"<nzb><file subject=\"s\" poster=\"p\" date=\"1\"><groups><group>g</group></groups><segments>{segments}</segments></file></nzb>";

    public static NzbSegment[] Segments(string segments) => [.. Document(WithSegments(segments)).Files.Single().Segments];

    /// <summary>A document with one file, of which the test gives the attributes.</summary>
    public static string WithAttributes(string attributes) =>
        $"<nzb><file {attributes}><segments><segment bytes=\"1\" number=\"1\">id@x</segment></segments></file></nzb>";

    /// <summary>Everything a reader can see, for comparisons.</summary>
    public static string Describe(NzbReadResult result)
    {
        var text = new StringBuilder();
        text.AppendLine(result.Error?.ToString() ?? "ok");
        foreach (var (type, values) in (result.Document?.Meta
            ?? new Dictionary<string, System.Collections.Immutable.ImmutableArray<string>>()).OrderBy(e => e.Key, StringComparer.Ordinal))
            text.AppendLine($"{type}={string.Join('|', values)}");
        foreach (var file in result.Document?.Files ?? [])
        {
            text.AppendLine($"{file.Subject};{file.Poster};{file.Date:O};{string.Join('|', file.Groups)};{file.FileName}");
            foreach (var segment in file.Segments)
                text.AppendLine(segment.ToString());
        }

        foreach (var warning in result.Warnings)
            text.AppendLine(warning.ToString());
        return text.ToString();
    }
}

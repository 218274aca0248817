using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Tests.Nzb;

/// <summary>What NZB writers get wrong and people still expect to work.</summary>
public sealed class NzbToleranceTests
{
    [Theory]
    [InlineData("subject=\"a b.rar\" poster=\"p\" date=\"7\"")]
    [InlineData("subject='a b.rar' poster='p' date='7'")]
    [InlineData("subject=\"a b.rar\" poster=p date=7")]
    [InlineData("subject=\"a b.rar\"poster=\"p\"date='7'")]
    [InlineData("  subject = \"a b.rar\"\n\tposter\r\n=\n'p' date= 7  ")]
    [InlineData("SUBJECT=\"a b.rar\" Poster=\"p\" DATE=\"7\"")]
    [InlineData("subject=\"a\nb.rar\" poster=\"p\" date=\"7\"")]
    [InlineData("x:other=\"1\" subject=\"a b.rar\" poster=\"p\" date=\"7\" subject=\"second\"")]
    public void Attributes_are_read_with_any_quotes(string attributes)
    {
        var file = NzbSamples.Document(NzbSamples.WithAttributes(attributes)).Files.Single();

        Assert.Equal(("a b.rar", "p", 7L), (file.Subject, file.Poster, file.Date.ToUnixTimeSeconds()));
    }

    [Theory]
    [InlineData("a@b c@d", "a@b c@d")]
    [InlineData("a@b", "a@b c@d")]
    [InlineData("a@b c@d", "a@b")]
    public void A_file_listed_twice_counts_once_with_all_its_articles(string first, string second)
    {
        static string Listed(string ids) => "<file subject='x' poster='p' date='7'><segments>"
            + string.Concat(ids.Split(' ').Select((id, i) => $"<segment bytes='1' number='{i + 1}'>{id}</segment>")) + "</segments></file>";

        var file = NzbSamples.Document($"<nzb>{Listed(first)}{Listed("other@b")}{Listed(second)}</nzb>").Files[0];

        Assert.Equal(["a@b", "c@d"], file.Segments.Select(segment => segment.MessageId));
        Assert.Equal(2, NzbSamples.Document($"<nzb>{Listed(first)}{Listed("other@b")}{Listed(second)}</nzb>").Files.Length);
    }

    [Theory]
    [InlineData("Tom & Jerry", "Tom & Jerry")]
    [InlineData("Tom &amp; Jerry", "Tom & Jerry")]
    [InlineData("a && b &c; &; &#; &#x; &#xZZ; &#99999999; &#xD800; &#0;", "a && b &c; &; &#; &#x; &#xZZ; &#99999999; &#xD800; &#0;")]
    [InlineData("&#65;&#x42;&#X43;&#x1F600;", "ABC\U0001F600")]
    [InlineData("&AMP;&Lt;&gt;&apos;&QUOT;", "&<>'\"")]
    [InlineData("&amp;quot;", "&quot;")]
    [InlineData("don&#146;t", "don’t")]
    [InlineData("a > b < c", "a > b < c")]
    [InlineData("[1/2] - \"name.rar\" yEnc (1/5)", "[1/2] - \"name.rar\" yEnc (1/5)")]
    [InlineData("\"name.rar\"", "\"name.rar\"")]
    [InlineData("\"name.rar\" yEnc", "\"name.rar\" yEnc")]
    [InlineData("it's", "it's")]
    [InlineData("", "")]
    public void Subjects_with_unescaped_characters_are_read(string raw, string subject)
    {
        var file = NzbSamples.Document(NzbSamples.WithAttributes($"poster=\"p\" subject=\"{raw}\" date=\"7\"")).Files.Single();

        Assert.Equal(subject, file.Subject);
        Assert.Equal(7, file.Date.ToUnixTimeSeconds());
        Assert.Equal("id@x", file.Segments.Single().MessageId);
    }

    [Fact]
    public void A_poster_with_unescaped_characters_is_read()
    {
        var file = NzbSamples.Document(
            NzbSamples.WithAttributes("subject=\"s\" poster=\"\"Joe\" <joe@example.com>\" date=\"7\"")).Files.Single();

        Assert.Equal("\"Joe\" <joe@example.com>", file.Poster);
        Assert.Equal(7, file.Date.ToUnixTimeSeconds());
    }

    [Theory]
    [InlineData("id@x")]
    [InlineData("\n    id@x\r\n\t ")]
    [InlineData("<id@x>")]
    [InlineData("&lt;id@x&gt;")]
    [InlineData(" &lt; id@x &gt; ")]
    [InlineData("&#60;id&#64;x&#62;")]
    [InlineData("<![CDATA[id@x]]>")]
    [InlineData("<![CDATA[<id@x>]]>")]
    [InlineData("<![CDATA[]]>id@x<![CDATA[]]>")]
    [InlineData("id<!-- really -->@x")]
    [InlineData("<?pi?>id@x")]
    public void Message_ids_are_read_with_any_wrapping(string text) =>
        Assert.Equal("id@x", NzbSamples.Segments($"<segment bytes=\"1\" number=\"1\">{text}</segment>").Single().MessageId);

    [Theory]
    [InlineData("<part1of5.a$b@x>", "part1of5.a$b@x")]
    [InlineData("<1234.5@x>", "1234.5@x")]
    [InlineData("<a/b@x>", "a/b@x")]
    [InlineData("<a=b@x>", "a=b@x")]
    [InlineData("a&b@x", "a&b@x")]
    [InlineData("a&amp;b@x", "a&b@x")]
    [InlineData("<![CDATA[a&amp;b@x]]>", "a&amp;b@x")]
    [InlineData("no-at-sign", "no-at-sign")]
    [InlineData("ä@x", "ä@x")]
    public void Message_ids_with_odd_characters_are_read(string text, string id) =>
        Assert.Equal(id, NzbSamples.Segments($"<segment bytes=\"1\" number=\"1\">{text}</segment>").Single().MessageId);

    [Theory]
    [InlineData("<segment bytes=\"1\" number=\"2\"></segment>")]
    [InlineData("<segment bytes=\"1\" number=\"2\"/>")]
    [InlineData("<segment bytes=\"1\" number=\"2\"> \n </segment>")]
    [InlineData("<segment bytes=\"1\" number=\"2\">&lt;&gt;</segment>")]
    [InlineData("<segment bytes=\"1\" number=\"2\">a@x&#13;&#10;QUIT</segment>")]
    [InlineData("<segment bytes=\"1\" number=\"2\">a b@x</segment>")]
    [InlineData("<segment bytes=\"1\" number=\"2\">a\nb@x</segment>")]
    [InlineData("<segment bytes=\"1\" number=\"2\">a&gt; &lt;b@x</segment>")]
    public void Segments_whose_id_cannot_be_fetched_are_left_out(string segment)
    {
        var result = NzbSamples.Read(NzbSamples.WithSegments($"<segment bytes=\"1\" number=\"1\">ok@x</segment>{segment}"));

        Assert.Equal("ok@x", result.Document!.Files.Single().Segments.Single().MessageId);
        Assert.Contains("without a usable message-id", Assert.Single(result.Warnings).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_id_too_long_for_a_command_line_is_left_out()
    {
        var longest = new string('a', 500);
        var result = NzbSamples.Read(NzbSamples.WithSegments(
            $"<segment bytes=\"1\" number=\"1\">{longest}</segment><segment bytes=\"1\" number=\"2\">{longest}b</segment>"));

        Assert.Equal(longest, result.Document!.Files.Single().Segments.Single().MessageId);
    }

    [Theory]
    [InlineData("bytes=\"12\"", 12)]
    [InlineData("bytes=\" 12 \"", 12)]
    [InlineData("bytes=12", 12)]
    [InlineData("", 0)]
    [InlineData("bytes=\"\"", 0)]
    [InlineData("bytes=\"many\"", 0)]
    [InlineData("bytes=\"12x\"", 0)]
    [InlineData("bytes=\"-1\"", 0)]
    [InlineData("bytes=\"1.5\"", 0)]
    [InlineData("bytes=\"99999999999\"", 0)]
    public void Sizes_that_make_no_sense_are_zero(string attribute, int bytes) =>
        Assert.Equal(bytes, NzbSamples.Segments($"<segment {attribute} number=\"1\">id@x</segment>").Single().Bytes);

    [Fact]
    public void Segments_are_sorted_by_number()
    {
        var segments = NzbSamples.Segments(
            "<segment number=\"10\">j</segment><segment number=\"2\">b</segment><segment number=\"1\">a</segment>");

        Assert.Equal([1, 2, 10], segments.Select(s => s.Number));
        Assert.Equal(["a", "b", "j"], segments.Select(s => s.MessageId));
    }

    [Fact]
    public void Numbers_can_begin_with_zero() =>
        Assert.Equal(
            [0, 1], NzbSamples.Segments("<segment number=\"1\">b</segment><segment number=\"0\">a</segment>").Select(s => s.Number));

    [Fact]
    public void Segments_without_numbers_continue_the_count()
    {
        var segments = NzbSamples.Segments(
            "<segment>a</segment><segment number=\"x\">b</segment><segment number=\"4\">d</segment><segment>e</segment><segment " +
            "number=\"3\">c</segment><segment>f</segment>");

        Assert.Equal(["1 a", "2 b", "3 c", "4 d", "5 e", "6 f"], segments.Select(s => $"{s.Number} {s.MessageId}"));
    }

    [Fact]
    public void Segments_with_the_same_number_are_copies_of_the_first()
    {
        var result = NzbSamples.Read(NzbSamples.WithSegments(
            "<segment bytes=\"1\" number=\"2\">b</segment><segment bytes=\"1\" number=\"1\">a</segment><segment bytes=\"1\" " +
            "number=\"2\">c</segment>"));

        var segments = result.Document!.Files.Single().Segments;
        Assert.Equal(["a", "b"], segments.Select(s => s.MessageId));
        Assert.Equal(["a", "b c"], segments.Select(s => s.ArticleIds));
        Assert.Equal(["a", "b"], result.Document.Files.Single().WithoutCopies().Segments.Select(s => s.ArticleIds));
        Assert.Contains("a number that was there before", Assert.Single(result.Warnings).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_message_id_belongs_to_one_number_and_a_number_has_at_most_three()
    {
        var segments = NzbSamples.Segments(string.Concat(
            new[] { "1a", "1b", "1c", "1d", "2b", "2e", "2e", "2a" }.Select(s => $"<segment number=\"{s[0]}\">{s[1]}</segment>")));

        Assert.Equal(["a c d", "b e"], segments.Select(s => s.ArticleIds));
    }

    [Fact]
    public void Single_article_files_whose_subjects_count_parts_are_merged()
    {
        var files = Alone("&quot;a.mkv&quot; yEnc (2/3)", "&quot;b.nfo&quot; yEnc (1/1)", "&quot;a.mkv&quot; yEnc (1/3)",
            "&quot;c.mkv&quot; yEnc (1/3)", "[1/2] &quot;a.mkv&quot; yEnc (3/3)");

        Assert.Equal(["a.mkv: 1 id2, 2 id0", "b.nfo: 1 id1", "c.mkv: 1 id3", "a.mkv: 1 id4"], files);
    }

    [Fact]
    public void Files_whose_subjects_count_a_part_twice_stay_separate() =>
        Assert.Equal(3, Alone("&quot;a.mkv&quot; yEnc (1/3)", "&quot;a.mkv&quot; yEnc (1/3)", "&quot;a.mkv&quot; yEnc (2/3)").Count());

    [Fact]
    public void The_first_of_several_equal_ids_is_kept()
    {
        var result = NzbSamples.Read(NzbSamples.WithSegments(
            "<segment bytes=\"1\" number=\"1\">a</segment><segment bytes=\"1\" number=\"2\">b</segment><segment bytes=\"1\" " +
            "number=\"3\">a</segment>"));

        Assert.Equal([1, 2], result.Document!.Files.Single().Segments.Select(s => s.Number));
        Assert.Contains("an id that was there before", Assert.Single(result.Warnings).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_gap_in_the_numbers_is_reported()
    {
        var result = NzbSamples.Read(NzbSamples.WithSegments(
            "<segment bytes=\"1\" number=\"1\">a</segment><segment bytes=\"1\" number=\"2\">b</segment><segment bytes=\"1\" " +
            "number=\"5\">e</segment>"));

        Assert.Equal([1, 2, 5], result.Document!.Files.Single().Segments.Select(s => s.Number));
        Assert.Contains("2 of its articles are not in the NZB, the first is number 3", Assert.Single(result.Warnings).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Fewer_segments_than_the_subject_says_are_reported()
    {
        var result = NzbSamples.Read(NzbSamples.WithAttributes("subject=\"&quot;a.bin&quot; yEnc (1/3)\""));

        Assert.Contains("3 articles, the NZB lists 1", Assert.Single(result.Warnings).Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(
        "<NZB><FILE SUBJECT=\"s\"><GROUPS><GROUP>g</GROUP></GROUPS><SEGMENTS><SEGMENT BYTES=\"1\" " +
        "NUMBER=\"1\">id@x</SEGMENT></SEGMENTS></FILE></NZB>")]
    [InlineData(
        "<n:nzb xmlns:n=\"x\"><n:file subject=\"s\"><n:groups><n:group>g</n:group></n:groups><n:segments><n:segment bytes=\"1\" " +
        "number=\"1\">id@x</n:segment></n:segments></n:file></n:nzb>")]
    [InlineData(
        "HTTP/1.1 200 OK\r\nx: <y\r\n\r\n<br><b class=\"unclosed>Warning</b>: 1 < 2 <nzb><file " +
        "subject=\"s\"><groups><group>g</group></groups><segments><segment bytes=\"1\" " +
        "number=\"1\">id@x</segment></segments></file></nzb>\0\0 <junk>")]
    [InlineData(
        "<wrapper><nzb><file subject=\"s\"><groups><group>g</group></groups><segments><segment bytes=\"1\" " +
        "number=\"1\">id@x</segment></segments></file></nzb></wrapper>")]
    [InlineData(
        "<nzb><files><file subject=\"s\"><extra a=\"1\"><b/>text</extra><groups><group>g</group></groups><segments><segment bytes=\"1\" " +
        "number=\"1\">id@x</segment></segments></file></files></nzb>")]
    [InlineData("<nzb><file subject=\"s\"><groups><group>g<segments><segment bytes=\"1\" number=\"1\">id@x</file></nzb>")]
    [InlineData("<nzb><file subject=\"s\"><group>g</group><segment bytes=\"1\" number=\"1\">id@x</segment></file></nzb>")]
    [InlineData(
        "<nzb></p></segment><nzb><file subject=\"s\"><groups><group>g</group></groups><segments><segment bytes=\"1\" " +
        "number=\"1\">id@x</segment></segments></file></nzb></nzb>")]
    [InlineData(
        "<nzb><file subject=s <groups><group>g</group></groups><segments><segment bytes=\"1\" number=\"1\" >id@x</segment " +
        "></segments></file></nzb >")]
    public void An_unusual_root_element_is_tolerated(string nzb)
    {
        var file = NzbSamples.Document(nzb).Files.Single();

        Assert.Equal(("s", "g"), (file.Subject, file.Groups.Single()));
        Assert.Equal((1, 1, "id@x"), (file.Segments.Single().Number, file.Segments.Single().Bytes, file.Segments.Single().MessageId));
    }

    [Fact]
    public void Unclosed_files_and_segments_end_where_the_next_begins()
    {
        var document = NzbSamples.Document(
            "<nzb><file subject=\"1\"><segments><segment number=\"1\">a<segment number=\"2\">b</segments><file " +
            "subject=\"2\"><segments><segment number=\"1\">c</nzb>");

        Assert.Equal(["1", "2"], document.Files.Select(f => f.Subject));
        Assert.Equal(["a", "b"], document.Files[0].Segments.Select(s => s.MessageId));
        Assert.Equal(["c"], document.Files[1].Segments.Select(s => s.MessageId));
    }

    [Fact]
    public void A_file_without_segments_is_a_warning_with_its_position()
    {
        var result = NzbSamples.Read(
            "<nzb>\n  <file subject=\"empty\"/>\n  <file subject=\"s\"><segments><segment bytes=\"1\">a</segment></segments></file></nzb>");

        Assert.Equal("s", result.Document!.Files.Single().Subject);
        Assert.Equal(new NzbWarning(2, 3, "File 'empty': the file has no segments and is left out."), result.Warnings[0]);
    }

    [Fact]
    public void The_number_of_warnings_is_limited()
    {
        var result = NzbSamples.Read(
            $"<nzb>{string.Concat(Enumerable.Repeat("</x>", 1000))}{NzbSamples.WithSegments("<segment>a</segment>")}</nzb>");

        Assert.Equal(101, result.Warnings.Count);
        Assert.Contains("more warnings", result.Warnings[^1].Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Junk_after_the_end_is_a_warning()
    {
        Assert.Empty(NzbSamples.Read(NzbSamples.WithSegments("<segment bytes=\"1\" number=\"1\">a</segment>") + " \r\n\t").Warnings);
        Assert.Single(NzbSamples.Read(NzbSamples.WithSegments("<segment bytes=\"1\" number=\"1\">a</segment>") + "\n<x>").Warnings);
    }

    private static IEnumerable<string> Alone(params string[] subjects) =>
        NzbSamples.Read($"<nzb>{string.Concat(subjects.Select((subject, i) => $"<file subject=\"{subject}\"><segments><segment number=\"1\">id{i}</segment></segments></file>"))}</nzb>")
            .Document!.Files.Select(
                file => $"{file.FileName}: {string.Join(", ", file.Segments.Select(s => $"{s.Number} {s.MessageId}"))}");
}

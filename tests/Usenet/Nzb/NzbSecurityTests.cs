using System.Diagnostics;

namespace NzbDav.Usenet.Tests.Nzb;

public sealed class NzbSecurityTests
{
    [Fact]
    public void An_XML_bomb_is_not_expanded()
    {
        const string Bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE nzb [
              <!-- ]> it isn't over -->
              <!ENTITY a "lol ]>">
              <!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>
              <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
              <!ENTITY file SYSTEM "file:///etc/passwd">
              <!ENTITY % remote SYSTEM "http://example.invalid/x.dtd"> %remote;
              <!ENTITY root "<nzb>">
            ]>
            <nzb><head><meta type="title">&c;&file;</meta></head>
            <file subject="&c; &file;"><segments><segment bytes="1" number="1">&a;@x</segment></segments></file></nzb>
            """;

        var document = NzbSamples.Document(Bomb);

        Assert.Equal("&c;&file;", document.FirstMeta("title"));
        Assert.Equal("&c; &file;", document.Files.Single().Subject);
        Assert.Equal("&a;@x", document.Files.Single().Segments.Single().MessageId);
    }

    [Theory]
    [InlineData("<!DOCTYPE nzb PUBLIC \"-//newzBin//DTD NZB 1.1//EN\" \"http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd\">")]
    [InlineData("<!DOCTYPE nzb SYSTEM \"x\" [ ] >")]
    [InlineData("<!doctype nzb>")]
    [InlineData("<!DOCTYPE nzb PUBLIC \"-//newzBin//DTD NZB 1.1//EN \"http://www.newzbin.com/DTD/nzb/nzb-1.1.dtd\">")]
    [InlineData("<!DOCTYPE nzb [<!ELEMENT nzb (head?,file*)><!ATTLIST nzb a CDATA \"]>\">]>")]
    [InlineData("<!-- a -- b -- > ---><!---->")]
    [InlineData("<?php echo '<nzb'; ?>")]
    public void Content_before_the_root_element_is_skipped(string prolog) =>
        Assert.Single(NzbSamples.Document(prolog + NzbSamples.WithAttributes("subject=\"s\"")).Files);

    // Inputs that make a naive parser look at the same bytes again and again. The bound is generous: linear work takes milliseconds.
    [Theory]
    [InlineData("<a b=\"", "<a b=\"")]
    [InlineData("", "<a b=\"<")]
    [InlineData("<nzb><head><meta type=\"x\">", "</x></x>")]
    [InlineData("<nzb>", "<a b='' c")]
    [InlineData("<nzb>", "< < <<")]
    [InlineData("<nzb>", "<!-- -->")]
    [InlineData("<!DOCTYPE nzb [", "<!-")]
    [InlineData("<nzb><file subject=\"x\"><segments>", "<segment number=\"1\">a</segment>")]
    [InlineData("<nzb><file subject=\"x\"><segments>", "<segment>a</segment>")]
    public void Hostile_input_takes_linear_time(string head, string filler)
    {
        using var endless = new EndlessStream(head, filler);
        var watch = Stopwatch.StartNew();

        var result = Usenet.Nzb.NzbReader.Read(endless, new Usenet.Nzb.NzbReaderOptions { MaxBytes = 4 << 20 });

        Assert.False(result.Succeeded);
        Assert.True(watch.Elapsed < TimeSpan.FromSeconds(20), $"took {watch.Elapsed}");
    }
}

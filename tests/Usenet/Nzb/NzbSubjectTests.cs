using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Tests.Nzb;

public sealed class NzbSubjectTests
{
    [Theory]
    [InlineData("[01/10] - \"name.part01.rar\" yEnc (1/147)", "name.part01.rar", 1, 147, 1, 10)]
    [InlineData("\"name.mkv\" yEnc (12/147) 104857600", "name.mkv", 12, 147, null, null)]
    [InlineData("\"The \"Great\" name.mkv\" yEnc (1/50)", "The \"Great\" name.mkv", 1, 50, null, null)]
    [InlineData("\"Some post\" - \"name.mkv\" yEnc (1/50)", "name.mkv", 1, 50, null, null)]
    [InlineData("\"Movie.2020\" - \"name.mkv\" yEnc (1/50)", "name.mkv", 1, 50, null, null)]
    [InlineData("\"Movie.2020.x264\" [2/9] - \"4f1c9d\" yEnc (1/50)", "4f1c9d", 1, 50, 2, 9)]
    [InlineData("\"Great\" \"Movie\" - \"name.part01.rar\" yEnc (1/50)", "name.part01.rar", 1, 50, null, null)]
    [InlineData("\"name.mkv\" yEnc (1/50) \"by me\"", "name.mkv", 1, 50, null, null)]
    [InlineData("[123]-[FULL]-[#a.b.x@net]- Some name 2024.mkv yEnc (1/50)", "Some name 2024.mkv", 1, 50, null, null)]
    [InlineData("(02/10) \"name.rar\" yEnc (1/50)", "name.rar", 1, 50, 2, 10)]
    [InlineData("Some post [3/5] - &quot;a &amp; b.r00&quot; yEnc (1/9)", "a & b.r00", 1, 9, 3, 5)]
    [InlineData("File 3 of 12 - name.7z.001 yEnc (1/50)", "name.7z.001", 1, 50, 3, 12)]
    [InlineData("[01/10] - name.ext (1/50)", "name.ext", 1, 50, 1, 10)]
    [InlineData("name.ext yEnc", "name.ext", null, null, null, null)]
    [InlineData("name with spaces.mkv yEnc (1/2)", "name with spaces.mkv", 1, 2, null, null)]
    [InlineData("Great Show - S01E02 - The Title.mkv yEnc (1/2)", "The Title.mkv", 1, 2, null, null)]
    [InlineData("[group] [1/3] name.vol00+01.par2 (1/2)", "name.vol00+01.par2", 1, 2, 1, 3)]
    [InlineData("[PRiVATE]-[WtFnZb]-[/Movie.2020.mkv]-[1/8] - \"\" yEnc 0 (1/1)", "Movie.2020.mkv", 1, 1, 1, 8)]
    [InlineData("[N3wZ] \\6aZMBGH\\::[PRiVATE]-[WtFnZb]-[Show.S01E01.mkv]-[1/8] - \"\" yEnc 123 (1/99)", "Show.S01E01.mkv", 1, 99, 1, 8)]
    [InlineData("[www.site.com] - \"x.nfo\" yEnc (1/1)", "x.nfo", 1, 1, null, null)]
    [InlineData("[www.site.com] x.nfo yEnc (1/1)", "x.nfo", 1, 1, null, null)]
    [InlineData("\"Title of the post\" - \"x.nfo\" yEnc (1/1)", "x.nfo", 1, 1, null, null)]
    [InlineData("[1/5] - \"a1b2c3d4e5f6\" yEnc (1/10)", "a1b2c3d4e5f6", 1, 10, 1, 5)]
    [InlineData("a1b2c3d4e5f6 yEnc (1/10)", "a1b2c3d4e5f6", 1, 10, null, null)]
    [InlineData("\"dir/sub\\name.bin\" yEnc (1/1)", "name.bin", 1, 1, null, null)]
    [InlineData("\"../../etc/passwd\" (1/1)", "passwd", 1, 1, null, null)]
    [InlineData("\"..\" (1/1)", null, 1, 1, null, null)]
    [InlineData("\"name.rar yEnc (1/5)", "name.rar", 1, 5, null, null)]
    [InlineData("( 3 of 4 ) name.rar", "name.rar", 3, 4, null, null)]
    [InlineData("just some words", null, null, null, null, null)]
    [InlineData("Movie (2020) [1080p]", null, null, null, null, null)]
    [InlineData("(1/99999999)", null, null, null, null, null)]
    [InlineData("yEnc.mkv (1/2)", "yEnc.mkv", 1, 2, null, null)]
    [InlineData("yEnc", null, null, null, null, null)]
    [InlineData("", null, null, null, null, null)]
    [InlineData(null, null, null, null, null, null)]
    [InlineData(" \t ", null, null, null, null, null)]
    public void Real_world_subjects_are_parsed(string? subject, string? name, int? part, int? parts, int? file, int? files) =>
        Assert.Equal(new NzbSubject(name, part, parts, file, files), NzbSubject.Parse(subject));

    [Fact]
    public void No_subject_throws()
    {
        const string Alphabet = "ab1 .-/\\\"'()[]{}&;#yEnc\t\0\uD800é";
        var random = new Random(1);
        for (var round = 0; round < 20_000; round++)
        {
            var subject = string.Concat(Enumerable.Range(0, random.Next(60)).Select(_ => Alphabet[random.Next(Alphabet.Length)]));
            var parsed = NzbSubject.Parse(subject);
            Assert.True(
                parsed.FileName is null || (parsed.FileName.Length > 0 && parsed.FileName.AsSpan().IndexOfAny("/\\\0") < 0), subject);
        }
    }

    [Theory]
    [InlineData("(")]
    [InlineData("[a.rar")]
    [InlineData("\" ")]
    [InlineData("(1/2) ")]
    [InlineData("file 1 ")]
    [InlineData(" - a.b")]
    public void The_longest_subjects_are_parsed_quickly(string filler) =>
        NzbSubject.Parse(string.Concat(Enumerable.Repeat(filler, (64 << 10) / filler.Length)));
}

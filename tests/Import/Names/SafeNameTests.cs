using System.Globalization;
using System.Text;
using NzbDav.Import.Names;

namespace NzbDav.Import.Tests.Names;

public sealed class SafeNameTests
{
    [Theory]
    [InlineData("Movie.2020.1080p.mkv", "Movie.2020.1080p.mkv")]
    [InlineData("Ünïcödé – 日本語 – עברית.mkv", "Ünïcödé – 日本語 – עברית.mkv")]
    [InlineData("🎬 film 👍🏽.mkv", "🎬 film 👍🏽.mkv")]
    [InlineData(".hidden", ".hidden")]
    [InlineData("a b  c", "a b  c")]
    public void Good_names_are_kept(string name, string expected) => Assert.Equal(expected, SafeName.Of(name));

    [Theory]
    [InlineData("../../etc/passwd", "passwd")]
    [InlineData("..\\..\\windows\\system32\\evil.dll", "evil.dll")]
    [InlineData("/absolute/file.mkv", "file.mkv")]
    [InlineData("C:\\file.mkv", "file.mkv")]
    [InlineData("C:file.mkv", "C_file.mkv")]
    [InlineData("dir/..\\file", "file")]
    [InlineData("a\0b.mkv", "ab.mkv")]
    public void No_name_leads_out_of_the_job_folder(string name, string expected) => Assert.Equal(expected, SafeName.Of(name));

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("   ")]
    [InlineData(".")]
    [InlineData("..")]
    [InlineData("...")]
    [InlineData(" . . ")]
    [InlineData("dir/")]
    [InlineData("\u202e\u200b\ufeff")]
    [InlineData("\r\n\t")]
    [InlineData("\ud800")]
    [InlineData("\u00a0")]
    public void A_name_without_usable_characters_is_null(string? name) => Assert.Null(SafeName.Of(name));

    /// <summary>
    /// rclone with <c>--links</c> shows the first as a symbolic link to any path; media servers and desktops open any address in the
    /// others.
    /// </summary>
    [Theory]
    [InlineData("etc.rclonelink", "etc.rclonelink.txt")]
    [InlineData(".rclonelink", ".rclonelink.txt")]
    [InlineData("Film.mkv.RCloneLink", "Film.mkv.RCloneLink.txt")]
    [InlineData("Film.strm", "Film.strm.txt")]
    [InlineData("Film.STRM", "Film.STRM.txt")]
    [InlineData("start.desktop", "start.desktop.txt")]
    [InlineData("start.url", "start.url.txt")]
    [InlineData("start.lnk", "start.lnk.txt")]
    [InlineData("start.webloc", "start.webloc.txt")]
    [InlineData("Desktop.ini", "Desktop.ini.txt")]
    [InlineData("Film.strm.mkv", "Film.strm.mkv")]
    [InlineData("album.m3u", "album.m3u")]
    [InlineData("strm", "strm")]
    [InlineData("setup.exe", "setup.exe")]
    public void A_name_that_makes_programs_open_an_address_gets_a_harmless_ending(string name, string expected) =>
        Assert.Equal(expected, SafeName.MakeInert(name));

    [Fact]
    public void A_harmless_ending_fits_into_the_longest_name()
    {
        var name = SafeName.MakeInert(SafeName.Of(new string('ä', 300) + ".rclonelink")!);
        Assert.EndsWith(".rclonelink.txt", name, StringComparison.Ordinal);
        Assert.InRange(Encoding.UTF8.GetByteCount(name), 200, 255);
        Assert.Equal(name, SafeName.MakeInert(name));
    }

    [Theory]
    [InlineData("CON", "_CON")]
    [InlineData("con.txt", "_con.txt")]
    [InlineData("Nul.tar.gz", "_Nul.tar.gz")]
    [InlineData("LPT9 .txt", "_LPT9 .txt")]
    [InlineData("COM1", "_COM1")]
    [InlineData("COM10", "COM10")]
    [InlineData("CONSOLE.txt", "CONSOLE.txt")]
    [InlineData("COM¹.txt", "_COM¹.txt")]
    [InlineData("CONIN$", "_CONIN$")]
    public void Windows_device_names_are_prefixed(string name, string expected) => Assert.Equal(expected, SafeName.Of(name));

    [Theory]
    [InlineData("what? <a>:\"b\"|*.mkv", "what_ _a___b___.mkv")]
    [InlineData("trailing dots...", "trailing dots")]
    [InlineData("trailing blank ", "trailing blank")]
    [InlineData("both. . .", "both")]
    [InlineData("  leading", "leading")]
    [InlineData("blank\u00a0.", "blank")]
    [InlineData("bell\u0007 \u001b[31m.mkv", "bell [31m.mkv")]
    [InlineData("c1\u0085\u009b.mkv", "c1.mkv")]
    [InlineData("gpj.\u202efdp.exe", "gpj.fdp.exe")]
    [InlineData("zero\u200bwidth\ufeff\u2060.mkv", "zerowidth.mkv")]
    [InlineData("line\u2028and\u2029paragraph", "lineandparagraph")]
    [InlineData("lone\ud83d.mkv", "lone.mkv")]
    public void Characters_that_clients_cannot_show_or_store_are_removed(string name, string expected) =>
        Assert.Equal(expected, SafeName.Of(name));

    [Theory]
    [InlineData("S01E02", 0)]
    [InlineData("S01E02", 100)]
    [InlineData("s1e2", 122)]
    [InlineData("S01E02E03", 200)]
    [InlineData("S10E1234", 277)]
    [InlineData("1x02", 290)]
    [InlineData("S01E02", 394)]
    public void A_long_name_loses_its_middle_but_not_the_episode(string episode, int at)
    {
        var name = SafeName.Of($"Begin{new string('b', at)}.{episode}.{new string('e', 394 - at)}End.mkv")!;
        Assert.InRange(Encoding.UTF8.GetByteCount(name), 245, 255);
        Assert.StartsWith("Begin", name, StringComparison.Ordinal);
        Assert.EndsWith("End.mkv", name, StringComparison.Ordinal);
        Assert.Equal(name.IndexOf(episode, StringComparison.Ordinal), name.LastIndexOf(episode, StringComparison.Ordinal));
        Assert.Contains(episode, name, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData('a', 1)]
    [InlineData('ä', 2)]
    [InlineData('語', 3)]
    public void A_long_name_is_shortened_between_characters_and_keeps_its_extension(char letter, int bytes)
    {
        var name = SafeName.Of(new string(letter, 400) + ".mkv")!;
        Assert.EndsWith(".mkv", name, StringComparison.Ordinal);
        Assert.Equal((251 / bytes * bytes) + 4, Encoding.UTF8.GetByteCount(name));
        Assert.DoesNotContain('\ufffd', name);
    }

    [Fact]
    public void A_surrogate_pair_is_not_split()
    {
        var name = SafeName.Of(string.Concat(Enumerable.Repeat("🎬", 100)) + ".mkv")!;
        Assert.Equal(string.Concat(Enumerable.Repeat("🎬", 62)) + ".mkv", name);
    }

    [Fact]
    public void An_overlong_extension_is_not_treated_as_one()
    {
        var name = SafeName.Of("a." + new string('x', 400))!;
        Assert.Equal(255, Encoding.UTF8.GetByteCount(name));
    }

    [Fact]
    public void A_name_shortened_to_a_device_name_is_prefixed_too()
    {
        Assert.Equal("_CON.txt", SafeName.Of("CON" + new string(' ', 300) + ".txt"));
        Assert.StartsWith("_CON ", SafeName.Of("CON" + new string(' ', 300) + ".x.txt"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("movie.mkv", 2, "movie (2).mkv")]
    [InlineData("movie", 12, "movie (12)")]
    [InlineData(".hidden", 2, ".hidden (2)")]
    [InlineData("a.part01.rar", 3, "a.part01 (3).rar")]
    public void A_number_goes_before_the_extension(string name, int number, string expected) =>
        Assert.Equal(expected, SafeName.WithNumber(name, number));

    [Fact]
    public void A_number_fits_into_the_longest_name()
    {
        var name = SafeName.WithNumber(new string('ä', 125) + ".mkv", 1000);
        Assert.EndsWith("ä (1000).mkv", name, StringComparison.Ordinal);
        Assert.InRange(Encoding.UTF8.GetByteCount(name), 250, 255);
    }

    [Fact]
    public void Random_names_become_safe_and_stay_unchanged_the_second_time()
    {
        var random = new Random(8);
        for (var i = 0; i < 20_000; i++)
        {
            var chars = new char[random.Next(1, 40)];
            for (var c = 0; c < chars.Length; c++)
                chars[c] = (char)random.Next(random.Next(3) switch { 0 => 0x80, 1 => 0x2100, _ => 0x10000 });
            var name = SafeName.Of(new string(chars) + (i % 7 == 0 ? new string('.', i % 300) : ""));
            if (name is null)
                continue;
            Assert.Equal(name, SafeName.Of(name));
            Assert.InRange(Encoding.UTF8.GetByteCount(name), 1, 255);
            Assert.DoesNotContain('\ufffd', name);
            Assert.Equal(-1, name.IndexOfAny(['/', '\\', ':', '*', '?', '"', '<', '>', '|', '\0']));
            Assert.False(name is "." or ".." || name[^1] is '.' or ' ' || name[0] == ' ', name);
            Assert.DoesNotContain(
                name.EnumerateRunes(), rune => Rune.GetUnicodeCategory(rune) is UnicodeCategory.Control or UnicodeCategory.Format);
        }
    }
}

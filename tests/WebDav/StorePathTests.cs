using System.Text;
using FsCheck;
using FsCheck.Fluent;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;

namespace NzbDav.WebDav.Tests;

public class StorePathTests
{
    [Theory]
    [InlineData("", "", false)]
    [InlineData("/", "", true)]
    [InlineData("//", "", true)]
    [InlineData("/a/b%20c", "a|b c", false)]
    [InlineData("/a//b/", "a|b", true)]
    [InlineData("/%41%2541", "A%41", false)]
    [InlineData("/%e6%97%a5", "\u65E5", false)]
    [InlineData("/a+b", "a+b", false)]
    [InlineData("/.../..a", "...|..a", false)]
    public void Each_segment_is_decoded_once(string raw, string expected, bool slash)
    {
        var path = StorePath.TryParse(raw);
        Assert.NotNull(path);
        Assert.Equal(expected, string.Join('|', path.Segments));
        Assert.Equal(slash, path.HasTrailingSlash);
    }

    [Theory]
    [InlineData("/a/..")]
    [InlineData("/.")]
    [InlineData("/%2e%2e/a")]
    [InlineData("/a%2fb")]
    [InlineData("/a%00")]
    [InlineData("/%")]
    [InlineData("/%4")]
    [InlineData("/%+1")]
    [InlineData("/%c3%28")]
    [InlineData("/%ed%a0%80")]
    [InlineData("/%c0%af")]
    [InlineData("/a?b")]
    [InlineData("/a#b")]
    public void Invalid_paths_are_refused(string raw) => Assert.Null(StorePath.TryParse(raw));

    [Fact]
    public void Paths_are_equal_by_their_names()
    {
        var path = StorePath.TryParse("/a/b%20c/")!;
        Assert.Equal(path, StorePath.Root.Child("a").Child("b c"));
        Assert.Equal(path.GetHashCode(), StorePath.Root.Child("a").Child("b c").GetHashCode());
        Assert.NotEqual(path, path.Parent);
        Assert.Equal(StorePath.Root, path.Parent.Parent.Parent);
        Assert.Equal("/a/b%20c", path.ToString());
        Assert.Throws<ArgumentException>(() => path.Child(".."));
        Assert.Throws<ArgumentException>(() => path.Child("a/b"));
    }

    [Fact]
    public void Names_round_trip()
    {
        var names = ArbMap.Default.GeneratorFor<NonEmptyString>().Select(text => Valid(text.Get))
            .Where(name => name is not ("" or "." or ".."));
        Prop.ForAll(names.NonEmptyListOf().ToArbitrary(), list =>
        {
            var path = list.Aggregate(StorePath.Root, (parent, name) => parent.Child(name));
            var text = path.ToString();
            Assert.True(Ascii.IsValid(text));
            Assert.Equal(path, StorePath.TryParse(text));
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(1000));

        static string Valid(string text) => string.Concat(text.EnumerateRunes().Where(rune => rune.Value is not (0 or '/')));
    }

    [Fact]
    public void The_parser_throws_on_no_input() =>
        Prop.ForAll(ArbMap.Default.ArbFor<string>(), text =>
        {
            _ = StorePath.TryParse(text);
            _ = RequestTarget.TryGetPath(text, "/x");
            _ = RequestTarget.TryGetPath("/%" + text, text);
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(2000));

    [Theory]
    [InlineData("/dav/a/b", "/a/b", "a|b")]
    [InlineData("/base/dav/a%20b", "/a b", "a b")]
    [InlineData("/dav/dav/x", "/x", "x")]
    [InlineData("/dav", "", "")]
    [InlineData("/dav/a?b=/c/d", "/a", "a")]
    [InlineData("http://h:1/dav/a", "/a", "a")]
    [InlineData("http://h", "", "")]
    [InlineData("/dav/%252F", "/%2F", "%2F")]
    public void The_store_gets_the_path_after_the_prefix(string target, string rest, string expected)
    {
        var path = RequestTarget.TryGetPath(target, rest);
        Assert.NotNull(path);
        Assert.Equal(expected, string.Join('|', path.Segments));
    }

    [Theory]
    [InlineData("/dav/a/%2e./b", "/b")]
    [InlineData("/./dav/b", "/b")]
    [InlineData("/dav/b#c", "/b")]
    [InlineData("*", "")]
    [InlineData("h:80", "")]
    [InlineData("/b", "/a/b")]
    public void Odd_targets_are_refused(string target, string rest) => Assert.Null(RequestTarget.TryGetPath(target, rest));

    /// <summary>Looking for locks on the way up takes the square of a path's depth: 16,000 names were 1 GB of copies.</summary>
    [Fact]
    public void A_path_of_too_many_names_is_refused()
    {
        Assert.NotNull(StorePath.TryParse(string.Concat(Enumerable.Repeat("/a", StorePath.MostSegments))));
        Assert.Null(StorePath.TryParse(string.Concat(Enumerable.Repeat("/a", StorePath.MostSegments + 1))));
        Assert.Null(StorePath.TryParse(string.Concat(Enumerable.Repeat("/a", 16_000))));
    }
}

using FsCheck;
using FsCheck.Fluent;
using NzbDav.WebDav.Locks;

namespace NzbDav.WebDav.Tests;

public class IfHeaderTests
{
    [Fact]
    public void Parses_lists_tags_and_conditions()
    {
        var header = IfHeader.TryParse(" (<urn:a> [\"x]\"]) ( Not <urn:b>Not[W/\"y\"] )")!;
        Assert.Equal(2, header.Lists.Count);
        Assert.All(header.Lists, list => Assert.Null(list.Resource));
        Assert.Equal([new IfCondition(Not: false, "urn:a", ETag: null), new IfCondition(Not: false, Token: null, "\"x]\"")], header.Lists[0].Conditions);
        Assert.Equal([new IfCondition(Not: true, "urn:b", ETag: null), new IfCondition(Not: true, Token: null, "W/\"y\"")], header.Lists[1].Conditions);
        Assert.True(header.Submits("urn:a") && header.Submits("urn:b"));
        Assert.False(header.Submits("\"x]\"") || header.Submits("urn:c"));

        header = IfHeader.TryParse("<http://h/a> (<urn:a>) ([\"x\"]) </b> (<urn:b>)")!;
        Assert.Equal(["http://h/a", "http://h/a", "/b"], header.Lists.Select(list => list.Resource));
    }

    [Fact]
    public void No_input_throws()
    {
        Prop.ForAll<string[]>(parts =>
        {
            var text = string.Concat(parts.Select(part => part ?? "").Zip(Enumerable.Repeat((string[])["(", "<", ">", "[", "\"", "]", ")", "Not ", " "], parts.Length), (part, marks) => marks[part.Length % marks.Length] + part));
            IfHeader.TryParse(text);
            LockTimeout.Parse(text);
        }).QuickCheckThrowOnFailure();
    }
}

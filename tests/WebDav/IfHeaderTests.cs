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
        Assert.Equal([new IfCondition(Not: false, "urn:a", ETag: null), new IfCondition(Not: false, Token: null, "\"x]\"")],
            header.Lists[0].Conditions);
        Assert.Equal([new IfCondition(Not: true, "urn:b", ETag: null), new IfCondition(Not: true, Token: null, "W/\"y\"")],
            header.Lists[1].Conditions);
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
            var text = string.Concat(
                parts.Select(part => part ?? "").Zip(Enumerable.Repeat((string[])["(", "<", ">", "[", "\"", "]", ")", "Not ", " "],
                parts.Length), (part, marks) => marks[part.Length % marks.Length] + part));
            IfHeader.TryParse(text);
            LockTimeout.Parse(text);
        }).QuickCheckThrowOnFailure();
    }

    /// <summary>Each list may take a look-up of a resource: 64 KiB of header would be thousands.</summary>
    [Fact]
    public void Too_many_lists_are_refused()
    {
        Assert.NotNull(IfHeader.TryParse(string.Concat(Enumerable.Repeat("</a>([\"x\"])", IfHeader.MostLists))));
        Assert.Null(IfHeader.TryParse(string.Concat(Enumerable.Repeat("</a>([\"x\"])", IfHeader.MostLists + 1))));
    }

    /// <summary>10,000 locks with an owner of 1 MiB each would be 10 GB.</summary>
    [Theory]
    [InlineData(100, true)]
    [InlineData(100_000, false)]
    public void A_long_owner_of_a_lock_is_left_out(int length, bool isKept)
    {
        var xml = "<D:lockinfo xmlns:D=\"DAV:\"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner>"
            + new string('o', length) + "</D:owner></D:lockinfo>";
        var asked = LockRequest.TryParse(new MemoryStream(System.Text.Encoding.UTF8.GetBytes(xml)));
        Assert.Equal((LockScope.Exclusive, isKept), (asked!.Scope, asked.Owner is not null));
    }
}

using System.Text;
using FsCheck;
using FsCheck.Fluent;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Tests.Metadata;

public sealed class BencodeReaderTests
{
    [Theory]
    [InlineData("i0e")]
    [InlineData("i-1e")]
    [InlineData("i9223372036854775807e")]
    [InlineData("i-9223372036854775808e")]
    [InlineData("0:")]
    [InlineData("4:spam")]
    [InlineData("le")]
    [InlineData("l4:spami7ee")]
    [InlineData("de")]
    [InlineData("d3:cow3:moo4:spaml1:a1:bee")]
    [InlineData("d0:0:e")]
    public void Valid_values_are_read_to_their_end(string text) => Assert.Equal((text.Length, null), Walk(text));

    [Theory]
    [InlineData("")]
    [InlineData("i")]
    [InlineData("ie")]
    [InlineData("i-e")]
    [InlineData("i-0e")]
    [InlineData("i03e")]
    [InlineData("i1")]
    [InlineData("i9223372036854775808e")]
    [InlineData("i99999999999999999999999e")]
    [InlineData("5:spam")]
    [InlineData("01:a")]
    [InlineData("99999999999:a")]
    [InlineData("-1:a")]
    [InlineData("l")]
    [InlineData("d")]
    [InlineData("e")]
    [InlineData("di1ei2ee")]
    [InlineData("d1:ae")]
    [InlineData("dlelee")]
    [InlineData("x")]
    [InlineData("l4:spam")]
    public void Invalid_values_are_refused(string text) => Assert.NotNull(Walk(text).Error);

    [Fact]
    public void Deeply_nested_lists_are_refused_at_once()
    {
        Assert.Contains("nested", Walk(new string('l', 1_000_000)).Error, StringComparison.Ordinal);
        Assert.Null(Walk(new string('l', BencodeReader.MostDepth) + new string('e', BencodeReader.MostDepth)).Error);
    }

    [Fact]
    public void Values_of_an_unexpected_kind_are_skipped()
    {
        var reader = new BencodeReader("d1:ad1:bli1ei2eee1:ci5ee"u8);
        Assert.True(reader.ReadValue(BencodeToken.Dictionary));
        Assert.True(reader.ReadKey());
        Assert.Equal(-1, reader.ReadInteger(-1));
        Assert.True(reader.ReadKey());
        Assert.Equal((byte)'c', reader.Text[0]);
        Assert.Equal(5, reader.ReadInteger(-1));
        Assert.False(reader.ReadKey());
        Assert.Null(reader.Error);
    }

    [Fact]
    public void Garbage_never_throws_and_always_ends()
    {
        var alphabet = Gen.Elements([.. "ilde0123456789:-x"]);
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(3_000), Prop.ForAll(
            alphabet.ArrayOf().ToArbitrary(),
            characters => Walk(new string(characters)).Position <= characters.Length));
    }

    private static (int Position, string? Error) Walk(string text)
    {
        var reader = new BencodeReader(Encoding.Latin1.GetBytes(text));
        while (reader.Read())
        {
        }

        return (reader.Position, reader.Error);
    }
}

using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Tests.Pieces;

public sealed class BitFieldTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(8)]
    [InlineData(63)]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(1_001)]
    public void The_wire_form_round_trips(int length)
    {
        var random = new Random(length);
        var field = new BitField(length);
        for (var i = 0; i < length; i++)
        {
            if (random.Next(2) == 0)
                Assert.True(field.Set(i));
        }

        var bytes = new byte[BitField.Bytes(length)];
        field.Write(bytes);
        var read = new BitField(length);
        Assert.True(read.TryRead(bytes));
        Assert.Equal(field.Count, read.Count);
        Assert.All(Enumerable.Range(0, length), i => Assert.Equal(field[i], read[i]));
        Assert.Equal(length > 0 && (bytes[0] & 0x80) != 0, field[0]);
    }

    [Fact]
    public void Wrong_lengths_and_set_spare_bits_are_refused()
    {
        Assert.False(new BitField(9).TryRead([0]));
        Assert.False(new BitField(9).TryRead([0, 0, 0]));
        Assert.False(new BitField(9).TryRead([0, 0x40]));
        Assert.True(new BitField(9).TryRead([0, 0x80]));
    }

    [Fact]
    public void Set_bits_are_counted()
    {
        var field = new BitField(70);
        field.SetAll();
        Assert.True(field is { IsFull: true, Count: 70 });
        Assert.True(field.Clear(69));
        Assert.False(field.Clear(69));
        Assert.False(field.Set(3));
        Assert.Equal(69, field.Count);

        var copy = new BitField(70);
        copy.Set(69);
        copy.CopyFrom(field);
        Assert.Equal(69, copy.Count);
        Assert.All(Enumerable.Range(0, 70), i => Assert.Equal(i != 69, copy[i]));
    }
}

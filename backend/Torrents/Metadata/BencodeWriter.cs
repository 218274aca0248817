using System.Buffers;
using System.Buffers.Text;
using System.Text;

namespace NzbDav.Torrents.Metadata;

/// <summary>Writes the bencoding that we send. The caller must write dictionary keys in order (BEP 3); this is not checked.</summary>
internal readonly struct BencodeWriter(IBufferWriter<byte> output)
{
    public void BeginDictionary() => Byte((byte)'d');

    public void BeginList() => Byte((byte)'l');

    public void End() => Byte((byte)'e');

    public void Integer(long value)
    {
        var span = output.GetSpan(24);
        span[0] = (byte)'i';
        Utf8Formatter.TryFormat(value, span[1..], out var written);
        span[written + 1] = (byte)'e';
        output.Advance(written + 2);
    }

    public void Text(ReadOnlySpan<byte> value)
    {
        var span = output.GetSpan(value.Length + 12);
        Utf8Formatter.TryFormat(value.Length, span, out var written);
        span[written++] = (byte)':';
        value.CopyTo(span[written..]);
        output.Advance(written + value.Length);
    }

    public void Text(string value) => Text(Encoding.UTF8.GetBytes(value));

    private void Byte(byte value)
    {
        output.GetSpan(1)[0] = value;
        output.Advance(1);
    }
}

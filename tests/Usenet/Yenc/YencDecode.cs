namespace NzbDav.Usenet.Yenc;

/// <summary>Any of the decoders.</summary>
internal delegate YencScan YencDecode(
    ref YencDecoderState state, ReadOnlySpan<byte> source, Span<byte> destination, out int consumed, out int written);

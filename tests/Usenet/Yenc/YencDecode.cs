using NzbDav.Usenet.Yenc;

namespace NzbDav.Usenet.Tests.Yenc;

/// <summary>Any of the decoders.</summary>
internal delegate YencScan YencDecode(
    ref YencDecoderState state, ReadOnlySpan<byte> source, Span<byte> destination, out int consumed, out int written);

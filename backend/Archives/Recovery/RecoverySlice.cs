using NzbDav.Content;

namespace NzbDav.Archives.Recovery;

/// <summary>A recovery slice: where it is, and which equation it belongs to (Parity Volume Set Specification 2.0, "Recovery Slice packet").</summary>
/// <param name="Exponent">Its number in the set, below 65,535.</param>
/// <param name="Volume">The file that holds it.</param>
/// <param name="Packet">Offset of its packet in the file.</param>
public sealed record RecoverySlice(int Exponent, IContent Volume, long Packet)
{
    /// <summary>Bytes between the packet's beginning and the slice: header and exponent.</summary>
    internal const int DataOffset = Par2Packet.HeaderSize + 4;
}

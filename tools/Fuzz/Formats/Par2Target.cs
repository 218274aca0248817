using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using NzbDav.Archives.Recovery;
using NzbDav.Archives.Volumes;
using NzbDav.Content;
using NzbDav.Fuzz.Contract;

namespace NzbDav.Fuzz.Formats;

/// <summary>PAR2 files, and the positions of recovery slices in a volume.</summary>
internal sealed class Par2Target() : FuzzTarget("par2", "PAR2 files")
{
    public override int Longest { get; init; } = 16 << 10;

    public override IReadOnlyList<byte[]> Words { get; } = [.. "PAR2\0PKT|PAR 2.0\0Main\0\0\0\0|PAR 2.0\0FileDesc|PAR 2.0\0IFSC\0\0\0\0|PAR 2.0\0UniFileN|PAR 2.0\0RecvSlic|PAR 2.0\0Creator\0".Split('|').Select(Text)];

    public override long MostAllocated(int length) => 8 << 20;

    [SuppressMessage("Security", "CA5351:Do Not Use Broken Cryptographic Algorithms", Justification = "The format's own checksum.")]
    public override void Mend(byte[] input, Random random)
    {
        for (var at = 0; at < input.Length && input.AsSpan(at).IndexOf(Par2Packet.Magic) is >= 0 and var next;)
        {
            at += next;
            var packet = input.AsSpan(at);
            at += Par2Packet.Magic.Length;
            if (packet.Length < Par2Packet.HeaderSize)
                return;

            // A length beyond the file hides the packet: half of these are set to the length of the rest.
            if (BinaryPrimitives.ReadUInt64LittleEndian(packet[8..]) > (ulong)packet.Length && random.Next(2) == 0)
                BinaryPrimitives.WriteInt64LittleEndian(packet[8..], packet.Length & ~3);
            if (BinaryPrimitives.ReadUInt64LittleEndian(packet[8..]) is >= Par2Packet.HeaderSize and var length
                && length <= (ulong)packet.Length)
                MD5.HashData(packet[Par2Packet.HashedFrom..(int)length], packet[16..]);
        }
    }

    public override object? Run(byte[] input, Cuts cuts)
    {
        var volume = new ArchiveVolume(new CutContent(input, cuts), "a.vol0+1.par2");
        var set = Synchronously.Wait(Par2Reader.ReadAsync(volume, ReadIntent.Import, CancellationToken.None));
        if (set is null)
            return null;
        var slices = Synchronously.Wait(RecoveryScan.ReadAsync(volume.Content, set, [], ReadIntent.Import, CancellationToken.None));
        foreach (var file in set.Files)
            BrokenPromiseException.ThrowUnless(file.Length >= 0, "A file has a length.");
        return (set, slices);
    }
}

using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Fuzz.Formats;

/// <summary>Payloads of extension messages (BEP 10): handshake, metadata (BEP 9), peer exchange (BEP 11).</summary>
internal sealed class ExtensionTarget() : FuzzTarget("extension", "Extension messages of peers")
{
    private const int MostPeers = 100;

    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } =
        [.. BencodeTarget.Usual, .. "1:m|11:ut_metadata|6:ut_pex|11:lt_donthave|11:upload_only|13:metadata_size|8:msg_type|5:piece|10:total_size|5:added|7:added.f|6:added6|8:added6.f|7:dropped|6:yourip4:|4:reqq|1:p|1:v|1:e".Split('|').Select(Text)];

    public override void Mend(byte[] input, Random random) => BencodeTarget.MendLengths(input, random);

    public override object? Run(byte[] input, Cuts cuts)
    {
        var isHello = ExtensionHandshake.TryRead(input, default, out var hello);
        BrokenPromiseException.ThrowUnless(!isHello || (hello.MetadataSize is >= 0 and <= ExtensionHandshake.MostMetadata
            && hello.Port is >= 0 and <= ushort.MaxValue), "The values in a peer's handshake are in range.");
        var isMetadata = MetadataMessage.TryRead(input, out var metadata);
        BrokenPromiseException.ThrowUnless(
            !isMetadata || (metadata.DataStart >= 0 && metadata.DataStart <= input.Length), "The data lies in the message.");
        var added = new List<ExchangedPeer>();
        var isExchange = ExchangeMessage.TryRead(input, added, MostPeers);
        BrokenPromiseException.ThrowUnless(added.Count <= MostPeers, "No more peers are returned than requested.");
        return $"{isHello} {hello} {isMetadata} {metadata} {isExchange} {string.Join(' ', added)}";
    }
}

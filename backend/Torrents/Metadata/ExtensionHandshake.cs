using System.Buffers;
using System.Net;

namespace NzbDav.Torrents.Metadata;

/// <summary>The fields that we use of the extension handshake (BEP 10), message 0 of the extension protocol.</summary>
/// <param name="MetadataId">The peer's id for ut_metadata (BEP 9); 0 = not supported.</param>
/// <param name="MetadataSize">Bytes of the info dictionary; 0 = not sent.</param>
/// <param name="RequestQueue">Most requests that the peer queues (<c>reqq</c>); 0 = not sent.</param>
/// <param name="Port">The port on which the peer listens; 0 = not sent.</param>
/// <param name="Client">The peer's client name (<c>v</c>), cleaned for display; null = not sent.</param>
internal readonly record struct ExtensionHandshake(byte MetadataId, int MetadataSize, int RequestQueue, int Port, string? Client = null)
{
    /// <summary>Our id for ut_metadata.</summary>
    public const byte OurMetadataId = 1;

    /// <summary>Our id for ut_pex (BEP 11).</summary>
    public const byte OurExchangeId = 2;

    /// <summary>Our id for lt_donthave (BEP 54).</summary>
    public const byte OurDontHaveId = 3;

    /// <summary>
    /// Our id for upload_only. libtorrent sends a message with that name when the state has changed since its handshake (BEP 21).
    /// </summary>
    public const byte OurUploadOnlyId = 4;

    /// <summary>The largest info dictionary that we fetch.</summary>
    public const int MostMetadata = Metainfo.MostBytes;

    /// <summary>
    /// Most requests that a peer may have outstanding with us. Transmission refills only every half second, so a small number would limit
    /// its speed.
    /// </summary>
    public const int OurRequestQueue = 2_000;

    /// <summary>The peer's id for ut_pex (BEP 11); 0 = not supported.</summary>
    public byte ExchangeId { get; init; }

    /// <summary>The peer's id for lt_donthave (BEP 54); 0 = not supported.</summary>
    public byte DontHaveId { get; init; }

    /// <summary>The peer downloads nothing (BEP 21).</summary>
    public bool IsUploadOnly { get; init; }

    /// <summary>Our address as the peer sees it (<c>yourip</c>); null = not sent.</summary>
    public IPAddress? YourIp { get; init; }

    /// <summary>The peer prefers encrypted connections (<c>e</c>).</summary>
    public bool PrefersEncryption { get; init; }

    /// <summary>
    /// Reads the payload after the extended id. False if it is not a bencoded dictionary. A value out of range counts as not sent. A peer
    /// may send several handshakes; each changes only the values that it contains (BEP 10).
    /// </summary>
    /// <param name="payload">The payload.</param>
    /// <param name="before">The peer's earlier values.</param>
    /// <param name="handshake">The earlier values, updated.</param>
    public static bool TryRead(ReadOnlySpan<byte> payload, in ExtensionHandshake before, out ExtensionHandshake handshake)
    {
        handshake = before;
        var reader = new BencodeReader(payload);
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return false;
        while (reader.ReadKey())
        {
            var key = reader.Text;
            if (key.SequenceEqual("m"u8))
                handshake = ReadNumbers(ref reader, handshake);
            else if (key.SequenceEqual("metadata_size"u8))
                handshake = handshake
                    with
                { MetadataSize = reader.ReadInteger(0) is > 0 and <= MostMetadata and var size ? (int)size : before.MetadataSize };
            else if (key.SequenceEqual("reqq"u8))
                handshake = handshake with { RequestQueue = (int)Math.Clamp(reader.ReadInteger(0), 0, 1 << 20) };
            else if (key.SequenceEqual("p"u8))
                handshake = handshake
                    with
                { Port = reader.ReadInteger(0) is > 0 and <= ushort.MaxValue and var port ? (int)port : before.Port };
            else if (key.SequenceEqual("upload_only"u8))
                handshake = handshake with { IsUploadOnly = reader.ReadInteger(0) != 0 };
            else if (key.SequenceEqual("e"u8))
                handshake = handshake with { PrefersEncryption = reader.ReadInteger(0) != 0 };
            else if (key.SequenceEqual("yourip"u8))
                handshake = handshake with
                {
                    YourIp = reader.ReadValue(BencodeToken.Text) && reader.Text.Length is (4 or 16)
                    ? new IPAddress(reader.Text) : before.YourIp
                };
            else if (key.SequenceEqual("v"u8))
                handshake = handshake
                    with
                { Client = reader.ReadValue(BencodeToken.Text) ? ClientNames.Clean(reader.Text) : before.Client };
            else
                reader.SkipValue();
        }

        return reader.Error is null;
    }

    /// <summary>Writes our handshake.</summary>
    /// <param name="output">Receives the bytes.</param>
    /// <param name="metadataSize">Bytes of the info dictionary; 0 = unknown.</param>
    /// <param name="port">The port on which we listen; 0 = none.</param>
    /// <param name="exchanges">True if we take part in peer exchange; false tells the peer that it is off.</param>
    /// <param name="uploadOnly">True if we download nothing (BEP 21).</param>
    public static void Write(IBufferWriter<byte> output, int metadataSize, int port, bool exchanges, bool uploadOnly)
    {
        var writer = new BencodeWriter(output);
        writer.BeginDictionary();
        writer.Text("m"u8);
        writer.BeginDictionary();
        writer.Text("lt_donthave"u8);
        writer.Integer(OurDontHaveId);
        writer.Text("upload_only"u8);
        writer.Integer(OurUploadOnlyId);
        writer.Text("ut_metadata"u8);
        writer.Integer(OurMetadataId);
        writer.Text("ut_pex"u8);
        writer.Integer(exchanges ? OurExchangeId : 0);
        writer.End();
        if (metadataSize > 0)
        {
            writer.Text("metadata_size"u8);
            writer.Integer(metadataSize);
        }

        if (port > 0)
        {
            writer.Text("p"u8);
            writer.Integer(port);
        }

        writer.Text("reqq"u8);
        writer.Integer(OurRequestQueue);
        writer.Text("upload_only"u8);
        writer.Integer(uploadOnly ? 1 : 0);
        writer.Text("v"u8);
        writer.Text("NzbDav"u8);
        writer.End();
    }

    private static ExtensionHandshake ReadNumbers(ref BencodeReader reader, ExtensionHandshake handshake)
    {
        if (!reader.ReadValue(BencodeToken.Dictionary))
            return handshake;
        while (reader.ReadKey())
        {
            // The value 0 switches an extension off (BEP 10).
            if (reader.Text.SequenceEqual("ut_metadata"u8))
                handshake = handshake with { MetadataId = ReadNumber(ref reader) };
            else if (reader.Text.SequenceEqual("ut_pex"u8))
                handshake = handshake with { ExchangeId = ReadNumber(ref reader) };
            else if (reader.Text.SequenceEqual("lt_donthave"u8))
                handshake = handshake with { DontHaveId = ReadNumber(ref reader) };
            else
                reader.SkipValue();
        }

        return handshake;
    }

    private static byte ReadNumber(ref BencodeReader reader) =>
        reader.ReadInteger(0) is > 0 and <= byte.MaxValue and var id ? (byte)id : (byte)0;
}

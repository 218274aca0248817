using System.Buffers.Binary;
using System.Net.Security;
using System.Runtime.InteropServices;

namespace NzbDav.MockUsenet.Transports;

/// <summary>
/// The unencrypted beginning of a TLS handshake, from the server's side: <see cref="SslStream"/> does not report whether a session was
/// resumed, but the hellos show it. Receives the bytes of one connection's handshake in order. Not thread-safe.
/// </summary>
internal sealed class HandshakeRecord
{
    /// <summary>Both hellos are far shorter. The certificates that follow in TLS 1.2 do not matter.</summary>
    private const int Most = 4 << 10;

    /// <summary>RFC 8446 §5.1: content type, version, length.</summary>
    private const int RecordHeader = 5;

    /// <summary>RFC 8446 §4: message type and length, then version and random come before the session id.</summary>
    private const int SessionId = 4 + 2 + 32;

    private const byte Handshake = 22;
    private const byte ServerHello = 2;

    /// <summary>RFC 8446 §4.2.11: the server's choice of one of the keys that the client offered from earlier sessions.</summary>
    private const ushort PreSharedKey = 41;

    private readonly List<byte> _received = [];
    private readonly List<byte> _sent = [];

    /// <summary>
    /// True if the server resumed an earlier session: it selected a pre-shared key (TLS 1.3, RFC 8446 §4.2.11) or repeated the client's
    /// session id (TLS 1.2, RFC 5246 §7.4.1.3). A server hello that only asks for another key share (RFC 8446 §4.1.4) selects no key; the
    /// server hello after it counts too.
    /// </summary>
    public bool IsResumed
    {
        get
        {
            var clientId = SessionIdOf(Record(_received, 0, out _), out _);
            for (var at = 0; at < _sent.Count;)
            {
                var record = Record(_sent, at, out var next);
                if (record is [ServerHello, ..])
                {
                    var id = SessionIdOf(record, out var rest);
                    if (Chooses(rest, PreSharedKey) || (!IsTls13(rest) && !id.IsEmpty && id.SequenceEqual(clientId)))
                        return true;
                }

                at = next;
            }

            return false;
        }
    }

    public void Received(ReadOnlySpan<byte> bytes) => Keep(_received, bytes);

    public void Sent(ReadOnlySpan<byte> bytes) => Keep(_sent, bytes);

    private static void Keep(List<byte> kept, ReadOnlySpan<byte> bytes) =>
        kept.AddRange(bytes[..Math.Min(bytes.Length, Most - kept.Count)]);

    /// <summary>
    /// The payload of the handshake record that begins at <paramref name="at"/>; empty for a record of another kind or an incomplete one.
    /// </summary>
    private static ReadOnlySpan<byte> Record(List<byte> bytes, int at, out int next)
    {
        var rest = CollectionsMarshal.AsSpan(bytes)[at..];
        next = int.MaxValue;
        if (rest.Length < RecordHeader)
            return default;
        var length = BinaryPrimitives.ReadUInt16BigEndian(rest[3..]);
        next = at + RecordHeader + length;
        return rest[0] == Handshake && rest.Length >= RecordHeader + length ? rest.Slice(RecordHeader, length) : default;
    }

    private static ReadOnlySpan<byte> SessionIdOf(ReadOnlySpan<byte> hello, out ReadOnlySpan<byte> rest)
    {
        rest = default;
        if (hello.Length <= SessionId || hello.Length < SessionId + 1 + hello[SessionId])
            return default;
        rest = hello[(SessionId + 1 + hello[SessionId])..];
        return hello.Slice(SessionId + 1, hello[SessionId]);
    }

    /// <summary>RFC 8446 §4.2.1: only TLS 1.3 has its version in an extension.</summary>
    private static bool IsTls13(ReadOnlySpan<byte> rest) => Chooses(rest, 43);

    /// <param name="rest">A server hello from its cipher suite on: cipher suite, compression, extensions.</param>
    /// <param name="extension">The extension to look for.</param>
    private static bool Chooses(ReadOnlySpan<byte> rest, ushort extension)
    {
        for (var at = 2 + 1 + 2; at + 4 <= rest.Length; at += 4 + BinaryPrimitives.ReadUInt16BigEndian(rest[(at + 2)..]))
        {
            if (BinaryPrimitives.ReadUInt16BigEndian(rest[at..]) == extension)
                return true;
        }

        return false;
    }
}

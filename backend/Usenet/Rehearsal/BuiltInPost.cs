using System.Buffers;
using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Content;
using NzbDav.Content.Checksums;
using NzbDav.Usenet.Accounts;

namespace NzbDav.Usenet.Rehearsal;

/// <summary>
/// A generated post and an account that has it, both in memory. Reading it runs all code between a reader and a provider except the
/// network: a warm-up that needs no server, before the first user's read. Immutable and thread-safe.
/// </summary>
public sealed class BuiltInPost
{
    private const int LineLength = 128;
    private const string Domain = "@built-in";

    private readonly byte[][] _articles;

    /// <param name="articles">How many it has, at least 1.</param>
    /// <param name="size">Decoded bytes of each.</param>
    public BuiltInPost(int articles, int size)
    {
        _articles = [.. Enumerable.Range(0, articles).Select(part => Encode(part, articles, size))];
        MessageIds = [.. Enumerable.Range(0, articles).Select(static part => part.ToString(CultureInfo.InvariantCulture) + Domain)];
    }

    /// <summary>Its articles in order, without angle brackets.</summary>
    public IReadOnlyList<string> MessageIds { get; }

    /// <summary>Makes a client whose only account has the post. Owned by the caller.</summary>
    public UsenetClient Connect(BufferPool pool, TimeProvider time)
    {
        var account = new ProviderOptions
        {
            Host = "built-in",
            UseTls = false,
            MaxConnections = 2,
            Connect = () => new BuiltInConnection(this),
        };
        return new UsenetClient([account], pool, time, NullLogger<UsenetClient>.Instance);
    }

    /// <summary>The article in yEnc, with the dot that ends it; null if there is none with this id.</summary>
    internal byte[]? Find(ReadOnlySpan<char> id) =>
        id.EndsWith(Domain, StringComparison.Ordinal)
        && int.TryParse(id[..^Domain.Length], NumberStyles.None, CultureInfo.InvariantCulture, out var part) && part < _articles.Length
            ? _articles[part] : null;

    private static byte[] Encode(int part, int parts, int size)
    {
        var plain = new byte[size];
        new Random(part).NextBytes(plain);
        var begin = (long)part * size;
        var output = new ArrayBufferWriter<byte>(size + (size / 32) + 512);
        Write(output, $"=ybegin part={part + 1} total={parts} line={LineLength} size={(long)parts * size} name=warm-up.bin\r\n");
        Write(output, $"=ypart begin={begin + 1} end={begin + size}\r\n");
        foreach (var line in plain.Chunk(LineLength))
            WriteLine(output, line);
        Write(output, $"=yend size={size} part={part + 1} pcrc32={Crc32.Append(0, plain):x8}\r\n.\r\n");
        return output.WrittenSpan.ToArray();
    }

    private static void WriteLine(ArrayBufferWriter<byte> output, byte[] plain)
    {
        var line = output.GetSpan((2 * plain.Length) + 2);
        var length = 0;
        foreach (var one in plain)
        {
            var encoded = (byte)(one + 42);

            // "=" escapes NUL, LF, CR and itself, and here a dot that begins a line, which NNTP would double.
            if (encoded is 0 or (byte)'\n' or (byte)'\r' or (byte)'=' || (encoded == '.' && length == 0))
            {
                line[length++] = (byte)'=';
                encoded += 64;
            }

            line[length++] = encoded;
        }

        line[length++] = (byte)'\r';
        line[length++] = (byte)'\n';
        output.Advance(length);
    }

    private static void Write(ArrayBufferWriter<byte> output, FormattableString text) =>
        output.Write(Encoding.ASCII.GetBytes(text.ToString(CultureInfo.InvariantCulture)));
}

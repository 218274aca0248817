using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using System.Text;

namespace NzbDav.Bench.Transport;

/// <summary>A client that repeatedly requests the same range on one connection and discards the bytes. Not thread-safe.</summary>
/// <param name="connection">Its end of the connection.</param>
/// <param name="target">The path.</param>
/// <param name="length">Length of the range, which begins at 0.</param>
internal sealed class MemoryClient(IDuplexPipe connection, string target, long length)
{
    private readonly byte[] _request = Encoding.ASCII.GetBytes(
        string.Create(CultureInfo.InvariantCulture, $"GET {target} HTTP/1.1\r\nHost: memory\r\nRange: bytes=0-{length - 1}\r\n\r\n"));

    /// <summary>Makes one GET and reads it to the last byte.</summary>
    /// <returns>Number of bytes in the body.</returns>
    public async Task<long> GetAsync()
    {
        await connection.Output.WriteAsync(_request);
        var received = -1L;
        while (received < length)
        {
            var read = await connection.Input.ReadAsync();
            var buffer = read.Buffer;
            var body = received < 0 ? Body(buffer) : buffer.Start;
            if (body is { } start)
                received = Math.Max(0, received) + buffer.Slice(start).Length;
            connection.Input.AdvanceTo(body is null ? buffer.Start : buffer.End, buffer.End);
            if (read.IsCompleted && received < length)
                throw new InvalidOperationException($"The server closed the connection after {received:N0} bytes.");
        }

        return received == length ? received : throw new InvalidOperationException($"{received - length:N0} bytes too many.");
    }

    /// <summary>Closes the connection.</summary>
    public void Close()
    {
        connection.Output.Complete();
        connection.Input.Complete();
    }

    /// <summary>Position of the body; null while the head is incomplete.</summary>
    private static SequencePosition? Body(ReadOnlySequence<byte> buffer)
    {
        var reader = new SequenceReader<byte>(buffer);
        if (!reader.TryReadTo(out ReadOnlySequence<byte> head, "\r\n\r\n"u8))
            return null;
        var status = new SequenceReader<byte>(head);
        return status.IsNext("HTTP/1.1 206 "u8)
            ? reader.Position : throw new InvalidOperationException($"Not served: {Encoding.ASCII.GetString(head)}");
    }
}

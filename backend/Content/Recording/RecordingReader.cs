using System.IO.Compression;
using System.Text;
using System.Text.Json;

namespace NzbDav.Content.Recording;

/// <summary>
/// Reads recordings, gzipped or plain. A recording that was cut off is read as far as possible and marked (<see cref="Recording.Cut"/>).
/// </summary>
public static class RecordingReader
{
    /// <summary>Longest line in bytes. The layout of a file of a thousand different volumes takes 40 KB.</summary>
    private const int LongestLine = 4 << 20;

    private const long MostLines = 50_000_000;

    /// <summary>Reads a recording.</summary>
    /// <param name="source">Read to its end; stays open.</param>
    /// <param name="cancellationToken">Stops reading.</param>
    /// <exception cref="RecordingException">The input is not a recording, or a line is invalid.</exception>
    public static async Task<Recording> ReadAsync(Stream source, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(source);
        var head = new byte[2];
        var had = await source.ReadAtLeastAsync(head, 2, throwOnEndOfStream: false, cancellationToken);
        var whole = new PrefixedStream(head.AsMemory(0, had), source);
        if (had == 2 && head is [0x1f, 0x8b])
        {
            await using var unpacked = new GZipStream(whole, CompressionMode.Decompress);
            return await ReadLinesAsync(unpacked, cancellationToken);
        }

        return await ReadLinesAsync(whole, cancellationToken);
    }

    private static async Task<Recording> ReadLinesAsync(Stream source, CancellationToken cancellationToken)
    {
        var recording = new Recording();
        var buffer = new byte[64 << 10];
        var (held, complete) = (0, false);
        string? trouble = null;
        while (true)
        {
            var got = 0;
            try
            {
                got = await source.ReadAsync(buffer.AsMemory(held), cancellationToken);
            }
            catch (InvalidDataException e)
            {
                // The gzip file is cut off or damaged here.
                trouble = e.Message;
            }

            if (got == 0)
                break;
            held += got;
            var used = 0;
            while (buffer.AsSpan(used, held - used).IndexOf((byte)'\n') is var end and >= 0)
            {
                complete = ParseLine(recording, buffer.AsSpan(used, end));
                used += end + 1;
            }

            buffer.AsSpan(used, held - used).CopyTo(buffer);
            held -= used;
            if (held < buffer.Length)
                continue;
            if (buffer.Length >= LongestLine)
                throw new RecordingException(recording.Lines + 1, "it is longer than any line of a recording: this file is none");
            Array.Resize(ref buffer, buffer.Length * 2);
        }

        if (recording.Lines == 0)
            throw new RecordingException(
                1, held == 0 && trouble is null ? "the file is empty" : "the first line of a recording is missing or cut off");
        if (!complete || held > 0)
            recording.Cut =
                $"The recording was cut off behind line {recording.Lines}{(trouble is null ? "" : $" ({trouble.TrimEnd('.')})")}: what " +
                $"came later is missing.";
        recording.Sort();
        return recording;
    }

    /// <returns>True for a recording's last line.</returns>
    private static bool ParseLine(Recording recording, ReadOnlySpan<byte> text)
    {
        var number = ++recording.Lines;
        if (number > MostLines)
            throw new RecordingException(number, "there are too many lines");
        RecordedLine line;
        try
        {
            line = JsonSerializer.Deserialize(text, RecordingJson.Default.RecordedLine)
                ?? throw new RecordingException(number, "it is null");
        }
        catch (JsonException e)
        {
            throw new RecordingException(
                number, number == 1
                ? "this is no recording of NzbDav"
                : $"it is no line of a recording ({Encoding.UTF8.GetString(text[..Math.Min(text.Length, 60)])}…): {Brief(e)}");
        }

        if (number == 1)
        {
            if (line.Kind != LineKinds.Recording || line.Version is null || line.Begun is null)
                throw new RecordingException(number, "this is no recording of NzbDav");
            if (line.Version is < 1 or > RecordedLine.Current)
                throw new RecordingException(
                    number, $"the recording has version {line.Version} of the format, and this program reads version " +
                    $"{RecordedLine.Current}: use a newer NzbDav");
            (recording.StartedAt, recording.By) = (line.Begun.Value, line.By ?? "");
            return false;
        }

        if (LineCheck.FaultOf(line) is { } fault)
            throw new RecordingException(number, fault);
        if (line is { Kind: LineKinds.RecordingEnd, Lines: { } written } && written != number - 1)
            throw new RecordingException(
                number, $"there are {number - 1} lines before the last one, and {written} were written: some are missing");
        recording.Add(line, number);
        return line.Kind == LineKinds.RecordingEnd;
    }

    private static string Brief(JsonException e) => e.Message.Split(" Path:")[0].Split(" LineNumber:")[0].TrimEnd('.');
}

/// <summary>A prefix followed by a stream, which stays open. Read once.</summary>
internal sealed class PrefixedStream(ReadOnlyMemory<byte> prefix, Stream rest) : Stream
{
    private ReadOnlyMemory<byte> _prefix = prefix;

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer) => ReadPrefix(buffer) is > 0 and var taken ? taken : rest.Read(buffer);

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
        ReadPrefix(buffer.Span) is > 0 and var taken ? ValueTask.FromResult(taken) : rest.ReadAsync(buffer, cancellationToken);

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    private int ReadPrefix(Span<byte> buffer)
    {
        var taken = Math.Min(buffer.Length, _prefix.Length);
        _prefix[..taken].Span.CopyTo(buffer);
        _prefix = _prefix[taken..];
        return taken;
    }
}

/// <summary>The input is not a recording, or is damaged.</summary>
/// <param name="line">Line number, from 1.</param>
/// <param name="reason">What is wrong, as text.</param>
public sealed class RecordingException(long line, string reason) : Exception($"line {line}: {reason}")
{
    /// <summary>Line number, from 1.</summary>
    public long Line { get; } = line;
}

namespace NzbDav.Torrents.WebSeeds;

/// <summary>
/// Reads a run from the files that it spans. Padding (BEP 47), which no server has, is read as zeros. If an answer breaks off after some
/// bytes, the rest is requested again.
/// </summary>
/// <param name="files">The files.</param>
/// <param name="run">The run.</param>
internal sealed class WebSeedReader(WebSeedFiles files, WebSeedRun run) : IAsyncDisposable
{
    private WebSeedAnswer _answer;
    private Stream? _body;
    private int _file = FileAt(files.Info, run.Start);
    private long _offset = run.Start;
    private bool _hasProgress;

    /// <summary>Fills a buffer with the next bytes. Returns the server's fault, if there is one.</summary>
    /// <exception cref="OperationCanceledException">The run has ended, or the server is silent.</exception>
    public async ValueTask<WebSeedFault?> FillAsync(Memory<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            var file = files.Info.Files[_file];
            var left = file.Offset + file.Length - _offset;
            if (left == 0)
            {
                await CloseAsync();
                _file++;
                continue;
            }

            var part = buffer[..(int)Math.Min(buffer.Length, left)];
            if (file.IsPadding)
            {
                part.Span.Clear();
            }
            else
            {
                var (count, fault) = await ReadAsync(part, Math.Min(run.End - file.Offset, file.Length));
                if (fault is not null)
                    return fault;
                part = part[..count];
            }

            _offset += part.Length;
            buffer = buffer[part.Length..];
        }

        return null;
    }

    public ValueTask DisposeAsync() => CloseAsync();

    /// <summary>Index of the file that contains a byte of the torrent.</summary>
    private static int FileAt(Metadata.TorrentInfo info, long offset)
    {
        var (low, high) = (0, info.Files.Count - 1);
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (info.Files[middle].Offset + info.Files[middle].Length > offset)
                high = middle;
            else
                low = middle + 1;
        }

        return low;
    }

    /// <summary>Reads from the current file. 0 bytes = the answer broke off, and the rest must be requested again.</summary>
    private async ValueTask<(int Count, WebSeedFault? Fault)> ReadAsync(Memory<byte> buffer, long end)
    {
        try
        {
            run.Wait();
            if (_body is null)
            {
                _answer = await files.RequestAsync(_file, _offset - files.Info.Files[_file].Offset, end, run.Token);
                if (_answer.Response is null)
                    return (0, _answer.Fault);
                _body = await _answer.Response.Content.ReadAsStreamAsync(run.Token);
                _hasProgress = false;
                run.Wait();
            }

            var count = await _body.ReadAsync(buffer, run.Token);
            if (count > 0)
            {
                _hasProgress = true;
                return (count, null);
            }
        }
        catch (HttpRequestException error) when (_body is null)
        {
            return (0, new WebSeedFault(WebSeedBlame.Transient, Reason(error)));
        }
        catch (Exception error) when (error is IOException or HttpRequestException)
        {
            // The connection broke. The next request shows whether the fault persists.
        }

        await CloseAsync();
        return (0, _hasProgress ? null : new WebSeedFault(WebSeedBlame.Transient, "its answers break off"));
    }

    private static string Reason(Exception error) => $"it cannot be reached ({(error.InnerException ?? error).Message.TrimEnd('.')})";

    private async ValueTask CloseAsync()
    {
        if (_body is not null)
            await _body.DisposeAsync();
        _body = null;
        _answer.Response?.Dispose();
        _answer = default;
    }
}

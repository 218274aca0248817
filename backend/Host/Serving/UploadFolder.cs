using Microsoft.AspNetCore.Http.Features;
using NzbDav.Catalog.Database;

namespace NzbDav.Host.Serving;

/// <summary>Stores a large upload without holding it in memory: under <c>cache/</c> of the configuration folder, as long as the disk has
/// room. Thread-safe.</summary>
internal sealed class UploadFolder(CatalogOptions options)
{
    /// <summary>Bytes that an upload leaves free, so that the catalog can still write.</summary>
    private const long MinFreeBytes = 256L << 20;

    private const int PieceBytes = 1 << 20;

    /// <summary>Free bytes of the disk. Tests replace it.</summary>
    internal Func<long> Free { get; set; } = () => new DriveInfo(options.ConfigFolder).AvailableFreeSpace;

    /// <summary>Stores the body of a request.</summary>
    /// <exception cref="CatalogException">There is no room for it (<see cref="CatalogFault.DiskFull"/>), or it cannot be written; nothing
    /// of it is kept.</exception>
    public async Task<UploadedFile> StoreAsync(HttpContext http)
    {
        if (http.Features.Get<IHttpMaxRequestBodySizeFeature>() is { IsReadOnly: false } limit)
            limit.MaxRequestBodySize = null;
        if (http.Request.ContentLength > Free() - MinFreeBytes)
            throw Full();
        var folder = Path.Combine(options.ConfigFolder, "cache");
        var path = Path.Combine(folder, $"restore-{Guid.NewGuid():n}.tmp");
        var whole = false;
        try
        {
            Directory.CreateDirectory(folder);
            await using (var file = new FileStream(
                path, FileMode.CreateNew, FileAccess.Write, FileShare.None, bufferSize: 0, FileOptions.Asynchronous))
            {
                var piece = new byte[PieceBytes];
                int read;
                while ((read = await http.Request.Body.ReadAtLeastAsync(
                    piece, piece.Length, throwOnEndOfStream: false, http.RequestAborted)) > 0)
                {
                    if (Free() < MinFreeBytes)
                        throw Full();
                    await file.WriteAsync(piece.AsMemory(0, read), http.RequestAborted);
                }
            }

            whole = true;
            return new UploadedFile(path);
        }
        catch (Exception e) when (e is not (CatalogException or BadHttpRequestException or OperationCanceledException)
            && FileFaults.IsFault(e) && !http.RequestAborted.IsCancellationRequested)
        {
            throw FileFaults.WhileWriting(e, folder);
        }
        finally
        {
            if (!whole)
                File.Delete(path);
        }
    }

    /// <summary>Removes uploads left by a crash.</summary>
    public void RemoveLeftovers()
    {
        var folder = Path.Combine(options.ConfigFolder, "cache");
        if (!Directory.Exists(folder))
            return;
        foreach (var leftover in Directory.EnumerateFiles(folder, "restore-*.tmp"))
            File.Delete(leftover);
    }

    private CatalogException Full() => new(
        CatalogFault.DiskFull, $"The disk that holds '{options.ConfigFolder}' has no room for this file. Free some space and try again.");
}

/// <summary>An uploaded file, on disk until it is disposed.</summary>
/// <param name="Path">Where it is.</param>
internal sealed record UploadedFile(string Path) : IDisposable
{
    public void Dispose() => File.Delete(Path);
}

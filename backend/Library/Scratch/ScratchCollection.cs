using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using NzbDav.Catalog.Database;
using NzbDav.Library.Items;
using NzbDav.WebDav.Store;

namespace NzbDav.Library.Scratch;

/// <summary>The scratch folder, or a folder inside it.</summary>
internal sealed class ScratchCollection(ScratchFolder folder, DirectoryInfo directory, string name) : IStoreCollection
{
    // .NET treats files that begin with a dot as hidden and skips them by default.
    private static readonly EnumerationOptions Everything = new() { AttributesToSkip = FileAttributes.ReparsePoint };

    public string Name => name;

    public DateTimeOffset CreatedAt => StableDate.Of(new DateTimeOffset(directory.CreationTimeUtc));

    public DateTimeOffset ModifiedAt => StableDate.Of(new DateTimeOffset(directory.LastWriteTimeUtc));

    public string ETag => ScratchFolder.Tag(directory, 0);

    public StoreKeeping Keeping => StoreKeeping.Everything;

    public StoreQuota Quota
    {
        get
        {
            try
            {
                var drive = new DriveInfo(directory.FullName);
                return new(drive.AvailableFreeSpace, Math.Max(0, drive.TotalSize - drive.AvailableFreeSpace));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
            {
                return StoreQuota.Ample;
            }
        }
    }

    public async IAsyncEnumerable<IStoreItem> GetChildrenAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var info in directory.EnumerateFileSystemInfos("*", Everything))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (Child(info) is { } child)
                yield return child;
        }

        await ValueTask.CompletedTask;
    }

    public async ValueTask<StoreWriteResult> PutAsync(string name, PipeReader body, long? length, CancellationToken cancellationToken)
    {
        if (!ScratchFolder.IsName(name))
            return BadName;
        var unfinished = folder.Unfinished();
        try
        {
            using (var file = File.OpenHandle(
                unfinished, FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.Asynchronous, length ?? 0))
            {
                long offset = 0;
                while (true)
                {
                    var read = await body.ReadAsync(cancellationToken);
                    foreach (var memory in read.Buffer)
                    {
                        await RandomAccess.WriteAsync(file, memory, offset, cancellationToken);
                        offset += memory.Length;
                    }

                    body.AdvanceTo(read.Buffer.End);
                    if (read.IsCompleted)
                        break;
                }

                RandomAccess.FlushToDisk(file);
            }

            return Put(unfinished, Path.Combine(directory.FullName, name));
        }
        catch (Exception e) when (IsFault(e))
        {
            return folder.Failed(e);
        }
        finally
        {
            File.Delete(unfinished);
        }
    }

    public ValueTask<StoreWriteResult> CreateCollectionAsync(string name, CancellationToken cancellationToken)
    {
        if (!ScratchFolder.IsName(name))
            return ValueTask.FromResult(BadName);
        return Try(() =>
        {
            Directory.CreateDirectory(Path.Combine(directory.FullName, name));
            return StoreWriteResult.Created;
        });
    }

    public ValueTask<StoreWriteResult> DeleteAsync(string name, CancellationToken cancellationToken) => Try(() =>
    {
        if (Child(name) is not { } child)
            return StoreWriteResult.NotFound;
        var path = Path.Combine(directory.FullName, child.Name);
        if (!child.IsCollection)
        {
            File.Delete(path);
            return StoreWriteResult.Deleted;
        }

        // Moved away first, so that it disappears as a whole. Items that cannot be deleted now are deleted at the next start.
        var unfinished = folder.Unfinished();
        Directory.Move(path, unfinished);
        Directory.Delete(unfinished, recursive: true);
        return StoreWriteResult.Deleted;
    });

    public StoreWriteResult? RefusalOf(IStoreCollection destination, string newName, bool isMove) =>
        destination is not ScratchCollection ? StoreWriteResult.Forbidden
        : ScratchFolder.IsName(newName) ? null
        : BadName;

    public ValueTask<StoreWriteResult> CopyAsync(
        string name, IStoreCollection destination, string newName, bool recursive, CancellationToken cancellationToken) => Try(() =>
    {
        if (RefusalOf(destination, newName, isMove: false) is { } refusal)
            return refusal;
        if (Child(name) is not { } child)
            return StoreWriteResult.NotFound;
        var unfinished = folder.Unfinished();
        var place = Path.Combine(((ScratchCollection)destination).FullPath, newName);
        if (!child.IsCollection)
        {
            CopyFile(Path.Combine(directory.FullName, name), unfinished);
            return Put(unfinished, place, stamped: true);
        }

        try
        {
            CopyTree(new DirectoryInfo(Path.Combine(directory.FullName, name)), unfinished, recursive, cancellationToken);
            Directory.Move(unfinished, place);
            return StoreWriteResult.Created;
        }
        finally
        {
            if (Directory.Exists(unfinished))
                Directory.Delete(unfinished, recursive: true);
        }
    });

    public ValueTask<StoreWriteResult> MoveAsync(
        string name, IStoreCollection destination, string newName, CancellationToken cancellationToken) => Try(() =>
    {
        if (RefusalOf(destination, newName, isMove: true) is { } refusal)
            return refusal;
        if (Child(name) is not { } child)
            return StoreWriteResult.NotFound;
        var from = Path.Combine(directory.FullName, name);
        var to = Path.Combine(((ScratchCollection)destination).FullPath, newName);
        if (!child.IsCollection)
            return Put(from, to, stamped: true);
        Directory.Move(from, to);
        return StoreWriteResult.Created;
    });

    private static StoreWriteResult BadName => StoreWriteResult.Invalid("The disk cannot have a file of that name.");

    private string FullPath => directory.FullName;

    private IStoreItem? Child(string name) =>
        ScratchFolder.IsName(name) ? ScratchTree.Item(folder, Path.Combine(directory.FullName, name)) : null;

    private IStoreItem? Child(FileSystemInfo info)
    {
        try
        {
            return info is FileInfo file ? new ScratchFile(folder, file) : new ScratchCollection(folder, (DirectoryInfo)info, info.Name);
        }
        catch (FileNotFoundException)
        {
            // Deleted while the folder was being read.
            return null;
        }
    }

    /// <summary>Moves a finished file into place, over any file that is there.</summary>
    private StoreWriteResult Put(string finished, string place, bool stamped = false)
    {
        if (!stamped)
            folder.Stamp(finished);
        var existed = File.Exists(place);
        File.Move(finished, place, overwrite: true);
        return existed ? StoreWriteResult.Replaced : StoreWriteResult.Created;
    }

    private void CopyFile(string from, string to)
    {
        File.Copy(from, to);
        folder.Stamp(to);
    }

    private void CopyTree(DirectoryInfo from, string to, bool recursive, CancellationToken cancellationToken)
    {
        Directory.CreateDirectory(to);
        if (!recursive)
            return;
        foreach (var info in from.EnumerateFileSystemInfos("*", Everything))
        {
            cancellationToken.ThrowIfCancellationRequested();
            var place = Path.Combine(to, info.Name);
            if (info is DirectoryInfo below)
                CopyTree(below, place, recursive, cancellationToken);
            else
                CopyFile(info.FullName, place);
        }
    }

    private ValueTask<StoreWriteResult> Try(Func<StoreWriteResult> write)
    {
        try
        {
            return ValueTask.FromResult(write());
        }
        catch (Exception e) when (IsFault(e))
        {
            return ValueTask.FromResult(folder.Failed(e));
        }
    }

    // An exception of the transport is an IOException too, but not an error of the disk.
    private static bool IsFault(Exception e) => FileFaults.IsFault(e) && e is not Microsoft.AspNetCore.Http.BadHttpRequestException
        && e is not Microsoft.AspNetCore.Connections.ConnectionResetException;
}

using System.Buffers;
using System.Security.Cryptography;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Import.Limits;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import.Intake;

/// <summary>Accepts .nzb files from all sources, plain or packed: checks them, then stores and queues them in one step.</summary>
public sealed class NzbIntake
{
    private readonly JobStore _jobs;
    private readonly Live<ImportOptions> _options;
    private readonly string _folder;
    private readonly LargePosts _largePosts = new();

    /// <param name="jobs">The queue.</param>
    /// <param name="options">Limits and default category.</param>
    /// <param name="catalog">Location of the configuration folder. An .nzb lies there in a temporary file while it is checked.</param>
    public NzbIntake(JobStore jobs, Live<ImportOptions> options, CatalogOptions catalog)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        _jobs = jobs;
        _options = options;
        _folder = Path.Combine(catalog.ConfigFolder, "cache");
    }

    /// <summary>Category of jobs that name none.</summary>
    public string DefaultCategory => _options.Value.DefaultCategory;

    /// <inheritdoc cref="AddAsync(IntakeRequest, Stream, CancellationToken)"/>
    public Task<IntakeResult> AddAsync(
        string fileName, string? category, Stream nzb, JobSource source, CancellationToken cancellationToken) =>
        AddAsync(new IntakeRequest { FileName = fileName, Category = category, Source = source }, nzb, cancellationToken);

    /// <summary>Checks, stores and queues an .nzb, plain or inside gzip, bzip2 or zip. Durable when the task completes.</summary>
    /// <param name="request">What it is, and how to add it.</param>
    /// <param name="nzb">Its bytes, read to the end.</param>
    /// <param name="cancellationToken">The sender went away; nothing is kept.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task<IntakeResult> AddAsync(IntakeRequest request, Stream nzb, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(nzb);
        await using var file = await ReceiveAsync(nzb, cancellationToken);
        return await AddAsync(request, file, cancellationToken);
    }

    /// <summary>Receives an upload into a temporary file, without checking what it is.</summary>
    /// <param name="nzb">Its bytes, read to the end unless it is larger than an .nzb may be.</param>
    /// <param name="cancellationToken">The sender went away; nothing is kept.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task<IntakeFile> ReceiveAsync(Stream nzb, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(nzb);
        FileStream? spool = Spool();
        try
        {
            var fits = await SpoolAsync(nzb, spool, cancellationToken);
            if (!fits)
                spool.SetLength(0);
            var file = new IntakeFile(spool, !fits);
            spool = null;
            return file;
        }
        finally
        {
            if (spool is not null)
                await spool.DisposeAsync();
        }
    }

    /// <summary>
    /// Like <see cref="AddAsync(IntakeRequest, Stream, CancellationToken)"/>, for an upload that <see cref="ReceiveAsync"/> received.
    /// </summary>
    public async Task<IntakeResult> AddAsync(IntakeRequest request, IntakeFile upload, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(upload);
        if (upload.IsTooLarge)
            return TooLarge("The .nzb");
        var file = upload.Content;
        var unpacked = await Task.Run(() => NzbPackage.Unpack(file, _options.Value.MaxNzbBytes, Spool), cancellationToken);
        try
        {
            if (unpacked.Error is { } error)
                return unpacked.TooLarge ? TooLarge("The unpacked content") : new IntakeResult(null, error);
            var results = new List<IntakeResult>();
            foreach (var part in unpacked.Parts)
            {
                var named = unpacked.Parts.Count == 1
                    ? request
                    : request with { Title = null, Password = PasswordIn(part.Name!) ?? request.Password ?? PasswordOf(request) };
                named = named with { FileName = part.Name ?? request.FileName, Password = named.Password ?? PasswordOf(request) };
                var result = await QueueAsync(named, part.Stream, cancellationToken);
                if (result.Job is null && unpacked.Parts.Count > 1)
                    result = result with { Error = $"{part.Name}: {result.Error}" };
                if (result.Job is null && results.Count == 0)
                    return result;
                results.Add(result);
                request = request with { Id = null, Moved = null };
            }

            return results[0] with
            {
                Jobs = [.. results.Where(result => result.Job is not null).Select(result => result.Job!)],
                Refused = [.. results.Where(result => result.Job is null).Select(result => result.Error!)],
                Received = file.Length
            };
        }
        finally
        {
            foreach (var part in unpacked.Parts)
                await part.Stream.DisposeAsync();
        }
    }

    /// <summary>Reads an upload as an .nzb, plain or packed, without adding it. Its memory is reserved until it has been used.</summary>
    /// <param name="upload">The upload.</param>
    /// <param name="use">Gets the post, of several in a zip the first, with the name of its file in the zip; or why it cannot be
    /// used.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<T> OpenAsync<T>(
        IntakeFile upload, Func<NzbDocument?, string?, string?, Task<T>> use, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(upload);
        ArgumentNullException.ThrowIfNull(use);
        if (upload.IsTooLarge)
            return await use(null, null, TooLarge("The .nzb").Error);
        var unpacked = await Task.Run(() => NzbPackage.Unpack(upload.Content, _options.Value.MaxNzbBytes, Spool), cancellationToken);
        try
        {
            if (unpacked.Error is { } error)
                return await use(null, null, unpacked.TooLarge ? TooLarge("The unpacked content").Error : error);
            var (name, stream) = unpacked.Parts[0];
            using var place = await _largePosts.EnterAsync(stream.Length, cancellationToken);
            var (read, _) = await ReadAsync(stream, cancellationToken);
            return read.Succeeded ? await use(read.Document, name, null) : await use(null, name, read.Error.ToString());
        }
        finally
        {
            foreach (var part in unpacked.Parts)
                await part.Stream.DisposeAsync();
        }
    }

    /// <summary>Checks a plain .nzb as <see cref="AddAsync(IntakeRequest, Stream, CancellationToken)"/> would, without adding it.</summary>
    /// <param name="request">How it would be added.</param>
    /// <param name="nzb">Its bytes; seekable.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The existing job that would be used instead of a new one, if any; the hash that identifies the post
    /// (<see cref="NewJob.ContentHash"/>); or why the .nzb cannot be used.</returns>
    public async Task<(long? JobId, string? Post, string? Error)> CheckAsync(
        IntakeRequest request, Stream nzb, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        ArgumentNullException.ThrowIfNull(nzb);
        using var place = await _largePosts.EnterAsync(nzb.Length, cancellationToken);
        var (result, hash) = await ReadAsync(nzb, cancellationToken);
        return result.Succeeded
            ? ((await FindExistingAsync(request, hash!, cancellationToken))?.Id, hash, null) : (null, null, result.Error.ToString());
    }

    /// <summary>
    /// The name for a job: the file's name without its extension and without a password in it, made safe. If the name is the subject of an
    /// article: the file name in the subject, without that file's extensions.
    /// </summary>
    public static string JobName(string fileName)
    {
        ArgumentNullException.ThrowIfNull(fileName);
        var stem = Stem(fileName);
        return SafeName.Of(SubjectTitle.NameIn(stem) ?? Passwords.FromName(stem).Name) ?? "unnamed";
    }

    /// <summary>The name for a job whose client requests a name (see <see cref="IntakeRequest.Title"/>).</summary>
    public static string TitleName(string title)
    {
        ArgumentNullException.ThrowIfNull(title);
        var stem = TitleStem(title);
        return SafeName.Of(SubjectTitle.NameIn(stem) ?? Passwords.FromTitle(stem).Name) ?? "unnamed";
    }

    /// <summary>The password in a file name (see <see cref="IntakeRequest.FileName"/>); null: there is none.</summary>
    public static string? PasswordIn(string fileName)
    {
        ArgumentNullException.ThrowIfNull(fileName);
        return Passwords.FromName(Stem(fileName)).Password;
    }

    /// <summary>Deletes temporary files of uploads that a crash left behind. Call it at the start only.</summary>
    public static void RemoveLeftovers(CatalogOptions catalog)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        var folder = new DirectoryInfo(Path.Combine(catalog.ConfigFolder, "cache"));
        if (!folder.Exists)
            return;

        // ASP.NET Core uses the second pattern for the parts of a form.
        foreach (var file in folder.EnumerateFiles("intake-*.tmp").Concat(folder.EnumerateFiles("ASPNETCORE_*.tmp")))
            file.Delete();
    }

    private static string NameOf(IntakeRequest request) => request.Title is { } title ? TitleName(title) : JobName(request.FileName);

    /// <summary>The password in the requested name, or else in the file's name; null: there is none.</summary>
    private static string? PasswordOf(IntakeRequest request) =>
        (request.Title is { } title && SubjectTitle.NameIn(TitleStem(title)) is null
            ? Passwords.FromTitle(TitleStem(title)).Password : null)
            ?? PasswordIn(request.FileName);

    /// <summary>The title without the extension .nzb. A dot in a title starts no other extension.</summary>
    private static string TitleStem(string title) => title.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) ? title[..^4] : title;

    private static string Stem(string fileName)
    {
        foreach (var packed in new[] { ".gz", ".bz2", ".zip" })
        {
            if (fileName.EndsWith(packed, StringComparison.OrdinalIgnoreCase))
                fileName = fileName[..^packed.Length];
        }

        return fileName.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) ? fileName[..^4] : fileName;
    }

    private IntakeResult TooLarge(string what) =>
        new(null, $"{what} is larger than {_options.Value.MaxNzbBytes >> 20} MiB.", TooLarge: true);

    private async Task<IntakeResult> QueueAsync(IntakeRequest request, Stream nzb, CancellationToken cancellationToken)
    {
        nzb.Position = 0;
        using var place = await _largePosts.EnterAsync(nzb.Length, cancellationToken);
        var (result, hash) = await ReadAsync(nzb, cancellationToken);
        if (!result.Succeeded)
            return new IntakeResult(null, result.Error.ToString());
        var category = request.Category ?? _options.Value.DefaultCategory;
        if (await FindExistingAsync(request, hash!, cancellationToken) is { } known)
            return new IntakeResult(known, null) { Duplicate = true };
        nzb.Position = 0;
        var job = new NewJob
        {
            Name = NameOf(request),
            Category = category,
            Source = request.Source,
            Priority = request.Priority,
            Paused = request.Paused,
            Password = request.Password ?? PasswordOf(request) ?? result.Document.FirstMeta("password"),
            ContentHash = hash,
            TotalBytes = result.Document.Bytes,
            FileCount = result.Document.Files.Length,
            Id = request.Id,
            Url = request.Url,
            Moved = request.Moved,
        };
        return new IntakeResult(await _jobs.EnqueueAsync(job, nzb, cancellationToken), null);
    }

    private static Task<(NzbReadResult Result, string? Hash)> ReadAsync(Stream nzb, CancellationToken cancellationToken) => Task.Run(
        () =>
        {
            var read = NzbReader.Read(nzb, options: null, cancellationToken);
            return (read, read.Succeeded ? PostIdentity.Of(read.Document) : null);
        },
        cancellationToken);

    /// <summary>The existing job of the same post; null if the post becomes a new job.</summary>
    private async Task<CatalogJob?> FindExistingAsync(IntakeRequest request, string hash, CancellationToken cancellationToken)
    {
        if (!request.ReuseDuplicates)
            return null;

        // A user who adds the post under another name wants a folder of that name.
        var category = request.Category ?? _options.Value.DefaultCategory;
        var name = request.Source == JobSource.Folder ? null : NameOf(request);
        await foreach (var job in _jobs.List.EachAsync(
            new JobFilter { ContentHash = hash, Categories = [category], Name = name }, newestFirst: true, cancellationToken))
        {
            if (job.State is JobState.Queued or JobState.Running || job is { State: JobState.Completed, ItemId: not null })
                return job;
        }

        return null;
    }

    /// <returns>False if it is too large.</returns>
    private async Task<bool> SpoolAsync(Stream source, FileStream file, CancellationToken cancellationToken)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(128 << 10);
        try
        {
            int read;
            while ((read = await source.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false, cancellationToken)) > 0)
            {
                if (file.Position + read > _options.Value.MaxNzbBytes)
                    return false;
                try
                {
                    await file.WriteAsync(buffer.AsMemory(0, read), cancellationToken);
                }
                catch (Exception e) when (FileFaults.IsFault(e))
                {
                    throw FileFaults.WhileWriting(e, _folder);
                }
            }

            return true;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }

    /// <summary>
    /// Creates the temporary file, unbuffered: a full disk then fails the write itself, not a later flush or the disposal.
    /// </summary>
    private FileStream Spool()
    {
        try
        {
            Directory.CreateDirectory(_folder);
            return new FileStream(
                Path.Combine(_folder, $"intake-{Guid.NewGuid():n}.tmp"), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None,
                bufferSize: 0, FileOptions.DeleteOnClose | FileOptions.Asynchronous);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, _folder);
        }
    }
}

/// <summary>
/// Identifies a post independently of how its .nzb is written: indexers list the same post with other subjects, in another order, and with
/// another head.
/// </summary>
internal static class PostIdentity
{
    /// <summary>SHA-256 over the sorted message-ids, each followed by a line feed, in lower-case hex.</summary>
    public static string Of(NzbDocument document)
    {
        var ids = new ReadOnlyMemory<byte>[document.SegmentCount];
        var count = 0;
        foreach (var file in document.Files)
        {
            foreach (var segment in file.Segments)
                ids[count++] = segment.MessageIdUtf8;
        }

        Array.Sort(ids, static (one, other) => one.Span.SequenceCompareTo(other.Span));
        using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (var id in ids)
        {
            hash.AppendData(id.Span);
            hash.AppendData("\n"u8);
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset());
    }
}

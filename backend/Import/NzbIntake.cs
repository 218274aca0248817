using NzbDav.Catalog;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Import;

/// <summary>The door for .nzb files, whoever brings them: checked first, then stored and queued in one go.</summary>
public sealed class NzbIntake
{
    private readonly JobStore _jobs;
    private readonly ImportOptions _options;
    private readonly string _folder;

    /// <param name="jobs">The queue.</param>
    /// <param name="options">Limits.</param>
    /// <param name="catalog">Where the configuration folder is: the .nzb lies there in a temporary file while it is checked.</param>
    public NzbIntake(JobStore jobs, ImportOptions options, CatalogOptions catalog)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        _jobs = jobs;
        _options = options;
        _folder = Path.Combine(catalog.ConfigFolder, "cache");
    }

    /// <summary>Checks, stores and queues an .nzb. Durable when the task completes.</summary>
    /// <param name="fileName">Its name; gives the job its own.</param>
    /// <param name="category">A safe name; null for the default category.</param>
    /// <param name="nzb">Its bytes, read to the end.</param>
    /// <param name="source">Who brings it.</param>
    /// <param name="cancellationToken">The sender went away; nothing is kept.</param>
    /// <exception cref="CatalogException">The disk is full or cannot be written.</exception>
    public async Task<IntakeResult> AddAsync(string fileName, string? category, Stream nzb, JobSource source, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(nzb);
        await using var file = Spool();
        var buffer = new byte[128 << 10];
        int read;
        while ((read = await nzb.ReadAtLeastAsync(buffer, buffer.Length, throwOnEndOfStream: false, cancellationToken)) > 0)
        {
            if (file.Position + read > _options.MaxNzbBytes)
                return new IntakeResult(null, $"The .nzb is larger than {_options.MaxNzbBytes >> 20} MiB.", TooLarge: true);
            try
            {
                await file.WriteAsync(buffer.AsMemory(0, read), cancellationToken);
            }
            catch (Exception e) when (FileFaults.IsFault(e))
            {
                throw FileFaults.WhileWriting(e, _folder);
            }
        }

        file.Position = 0;
        var result = await Task.Run(() => NzbReader.Read(file), cancellationToken);
        if (!result.Succeeded)
            return new IntakeResult(null, result.Error.ToString());
        file.Position = 0;
        var name = JobName(fileName);
        var job = new NewJob { Name = name, Category = category ?? _options.DefaultCategory, Source = source, Password = result.Document.FirstMeta("password") };
        return new IntakeResult(await _jobs.EnqueueAsync(job, file, cancellationToken), null);
    }

    /// <summary>Where a job goes that names no category.</summary>
    public string DefaultCategory => _options.DefaultCategory;

    /// <summary>What a job is called: the file's name without its ending, made safe.</summary>
    public static string JobName(string fileName)
    {
        ArgumentNullException.ThrowIfNull(fileName);
        var stem = fileName.EndsWith(".nzb", StringComparison.OrdinalIgnoreCase) ? fileName[..^4] : fileName;
        return SafeName.Of(stem) ?? "unnamed";
    }

    /// <summary>Removes what a crash left of files that were being checked. For the start.</summary>
    public static void RemoveLeftovers(CatalogOptions catalog)
    {
        ArgumentNullException.ThrowIfNull(catalog);
        var folder = new DirectoryInfo(Path.Combine(catalog.ConfigFolder, "cache"));
        if (!folder.Exists)
            return;
        foreach (var file in folder.EnumerateFiles("intake-*.tmp"))
            file.Delete();
    }

    /// <summary>Without a buffer of its own: what a full disk refuses is refused by the write, not by a later flush or by disposal.</summary>
    private FileStream Spool()
    {
        try
        {
            Directory.CreateDirectory(_folder);
            return new FileStream(
                Path.Combine(_folder, $"intake-{Guid.NewGuid():n}.tmp"), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.None, bufferSize: 0, FileOptions.DeleteOnClose | FileOptions.Asynchronous);
        }
        catch (Exception e) when (FileFaults.IsFault(e))
        {
            throw FileFaults.WhileWriting(e, _folder);
        }
    }
}

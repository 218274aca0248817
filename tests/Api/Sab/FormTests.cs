using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Microsoft.AspNetCore.Http;
using NzbDav.Api.Forms;
using NzbDav.Api.Sab;
using NzbDav.Api.Sab.Answers;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Blobs;

namespace NzbDav.Api.Tests.Sab;

/// <summary>How much of a form is read, from which callers, and what is written to disk.</summary>
public sealed class FormTests
{
    private const string Multipart = "multipart/form-data; boundary=xx";

    [Theory]
    [InlineData(Multipart, "--xx\r\nContent-Disposition: form-data; name=\"value\"\r\n\r\n", "", "API Key Required")]
    [InlineData(Multipart, "--xx\r\nContent-Disposition: form-data; name=\"name\"; filename=\"a.nzb\"\r\n\r\n", "", "API Key Required")]
    [InlineData(
        Multipart, "--xx\r\nContent-Disposition: form-data; name=\"name\"; filename=\"a.nzb\"\r\n\r\n", "wrong", "API Key Incorrect")]
    [InlineData("application/x-www-form-urlencoded", "value=", "", "API Key Required")]
    [InlineData("application/x-www-form-urlencoded", "value=", "wrong", "API Key Incorrect")]
    public async Task Without_a_valid_key_64_KiB_of_a_form_are_read_and_nothing_is_written_to_disk(
        string type, string head, string key, string error)
    {
        await using var sab = await SabFixture.OpenAsync();
        var body = new EndlessBody(head, 300L << 20) { Folder = Path.Combine(sab.Folder, "cache") };
        var answer = await ReadAsync(sab, type, body, "?mode=addfile&apikey=" + key);
        Assert.Equal(error, Assert.IsType<ErrorAnswer>(answer).Error);
        Assert.InRange(body.Count, 1, FormBody.MostUnknown + 1);
        Assert.Equal(0, body.MostFiles);
    }

    [Fact]
    public async Task A_key_without_the_right_to_add_jobs_cannot_upload()
    {
        await using var sab = await SabFixture.OpenAsync();
        var body = new EndlessBody("--xx\r\nContent-Disposition: form-data; name=\"name\"; filename=\"a.nzb\"\r\n\r\n", 300L << 20)
        { Folder = Path.Combine(sab.Folder, "cache") };
        var answer = await ReadAsync(sab, Multipart, body, "?mode=addfile&apikey=" + SabFixture.ReadKey);
        Assert.Equal("API Key Incorrect", Assert.IsType<ErrorAnswer>(answer).Error);
        Assert.InRange(body.Count, 1, FormBody.MostUnknown);
        Assert.Equal(0, body.MostFiles);
    }

    [Theory]
    [InlineData("?mode=queue&apikey=" + SabFixture.ReadKey, Multipart, "--xx\r\nContent-Disposition: form-data; name=\"value\"\r\n\r\n")]
    [InlineData("?mode=queue&apikey=" + SabFixture.Key, Multipart, "--xx\r\nContent-Disposition: form-data; name=\"value\"\r\n\r\n")]
    [InlineData("?mode=queue&apikey=" + SabFixture.Key, "application/x-www-form-urlencoded", "value=")]
    public async Task The_total_size_of_form_values_is_limited_whatever_the_key(string query, string type, string head)
    {
        await using var sab = await SabFixture.OpenAsync();
        var body = new EndlessBody(head, 300L << 20);
        var answer = await ReadAsync(sab, type, body, query);
        Assert.Equal("the upload is larger than 1 MiB", Assert.IsType<ErrorAnswer>(answer).Error);
        Assert.InRange(body.Count, 1 << 20, (1 << 20) + (64 << 10));
    }

    [Fact]
    public async Task An_upload_is_streamed_to_one_file_up_to_the_body_limit()
    {
        await using var sab = await SabFixture.OpenAsync(change: options => options with { MaxUploadBytes = 40 << 20 });
        var body = new EndlessBody("--xx\r\nContent-Disposition: form-data; name=\"name\"; filename=\"a.nzb\"\r\n\r\n", 300L << 20)
        { Folder = Path.Combine(sab.Folder, "cache") };
        var answer = await ReadAsync(sab, Multipart, body, "?mode=addfile&apikey=" + SabFixture.AddKey);
        Assert.Equal("the upload is larger than 40 MiB", Assert.IsType<ErrorAnswer>(answer).Error);
        Assert.InRange(body.Count, 40 << 20, (40 << 20) + 1);
        Assert.Equal(1, body.MostFiles);
        Assert.Empty(Directory.GetFiles(Path.Combine(sab.Folder, "cache")));
    }

    [Fact]
    public async Task A_body_whose_declared_length_is_too_large_is_not_read()
    {
        await using var sab = await SabFixture.OpenAsync(change: options => options with { MaxUploadBytes = 40 << 20 });
        var body = new EndlessBody("", 300L << 20);
        var answer = await ReadAsync(sab, Multipart, body, "?mode=addfile&apikey=" + SabFixture.AddKey, length: 300L << 20);
        Assert.Equal("the upload is larger than 40 MiB", Assert.IsType<ErrorAnswer>(answer).Error);
        Assert.Equal(0, body.Count);
    }

    [Theory]
    [InlineData(true, 1, null)]
    [InlineData(true, 3 << 20, null)]
    [InlineData(false, 1, null)]
    [InlineData(false, 50 << 10, null)]
    [InlineData(false, 70 << 10, "API Key Required")]
    public async Task The_key_may_precede_the_file_in_the_form_or_follow_a_small_one(bool first, int padding, string? error)
    {
        await using var sab = await SabFixture.OpenAsync();
        byte[] nzb = [.. SabFixture.Nzb("x"), .. Enumerable.Repeat((byte)' ', padding)];
        using var form = new MultipartFormDataContent();
        if (first)
            form.Add(new StringContent(SabFixture.AddKey), "apikey");
        form.Add(new StringContent("addfile"), "mode");
        form.Add(new ByteArrayContent(nzb), "name", "Show.nzb");
        if (!first)
            form.Add(new StringContent(SabFixture.AddKey), "apikey");
        form.Add(new StringContent("tv"), "cat");
        var answer = await PostAsync(sab, form);
        Assert.Equal(error, answer.TryGetProperty("error", out var told) ? told.GetString() : null);
        if (error is not null)
            return;
        var job = (await sab.Jobs.GetAsync(
            NzoId.Parse(Assert.Single(answer.GetProperty("nzo_ids").EnumerateArray()).GetString()!)!.Value, CancellationToken.None))!;
        Assert.Equal(("Show", "tv"), (job.Name, job.Category));
        Assert.Equal(nzb, (await sab.Get<BlobStore>().ReadAsync(job.Nzb!.Value, CancellationToken.None)).ToArray());
    }

    [Theory]
    [InlineData("other,nzbfile,name,name", "name-2")]
    [InlineData("other,nzbfile,other", "nzbfile-1")]
    [InlineData("other,another", "other-0")]
    [InlineData("NAME,name", "NAME-0")]
    public async Task With_several_files_the_one_in_the_field_SABnzbd_expects_is_used(string parts, string taken)
    {
        await using var sab = await SabFixture.OpenAsync();
        using var form = new MultipartFormDataContent();
        foreach (var (part, number) in parts.Split(',').Select((part, number) => (part, number)))
            form.Add(new ByteArrayContent(SabFixture.Nzb("x")), part, $"{part}-{number}.nzb");
        var answer = await sab.AskAsync("mode=addfile", form);
        var job = (await sab.Jobs.GetAsync(
            NzoId.Parse(Assert.Single(answer.GetProperty("nzo_ids").EnumerateArray()).GetString()!)!.Value, CancellationToken.None))!;
        Assert.Equal(taken, job.Name);
    }

    [Fact]
    public async Task A_form_with_too_many_parts_is_refused()
    {
        await using var sab = await SabFixture.OpenAsync();
        using var form = new MultipartFormDataContent();
        for (var i = 0; i <= FormBody.MostParts; i++)
            form.Add(new StringContent("x"), $"value{i}");
        Assert.Contains(
            "more than 1024 parts", (await sab.AskAsync("mode=queue", form)).GetProperty("error").GetString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Values_of_a_form_are_decoded_as_browsers_write_them()
    {
        await using var sab = await SabFixture.OpenAsync();
        using var written = new StringContent("mode=queue&search=a%2Bb+c%C3%A9&apikey=" + SabFixture.Key, Encoding.ASCII,
            new MediaTypeHeaderValue("application/x-www-form-urlencoded"));
        await sab.QueueAsync("a+b cé d");
        await sab.QueueAsync("other");
        Assert.Equal("a+b cé d", Assert.Single(ArrReader.Queue(await PostAsync(sab, written))).Title);
    }

    private static async Task<JsonElement> PostAsync(SabFixture sab, HttpContent form)
    {
        using var response = await sab.Http.PostAsync("/api", form);
        return JsonDocument.Parse(await response.Content.ReadAsStringAsync()).RootElement;
    }

    private static async Task<object?> ReadAsync(SabFixture sab, string type, Stream body, string query, long? length = null)
    {
        var http = new DefaultHttpContext();
        http.Request.QueryString = new QueryString(query);
        http.Request.ContentType = type;
        http.Request.ContentLength = length;
        http.Request.Body = body;
        await using var call = new SabCall(http.Request.Query);
        Assert.Null(await sab.Get<SabGate>().AuthenticateAsync(http, call));
        return await SabForm.ReadAsync(sab.Get<FormReader>(), sab.Get<SabGate>(), http, call);
    }

    /// <summary>A head followed by a given number of letters.</summary>
    private sealed class EndlessBody(string head, long length) : MemoryStream(Encoding.ASCII.GetBytes(head))
    {
        public string? Folder { get; init; }

        public long Count { get; private set; }

        /// <summary>The largest number of files seen in the folder while this was read.</summary>
        public int MostFiles { get; private set; }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Directory.Exists(Folder))
                MostFiles = Math.Max(MostFiles, Directory.GetFiles(Folder).Length);
            var count = base.Read(buffer.Span);
            if (count == 0)
            {
                count = (int)Math.Min(buffer.Length, length - Count);
                buffer.Span[..count].Fill((byte)'a');
            }

            Count += count;
            return ValueTask.FromResult(count);
        }
    }
}

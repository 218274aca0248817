using System.Text.Json.Nodes;
using NzbDav.Arr.Client;

namespace NzbDav.Arr.Tests;

/// <summary>Lists that are longer than a page.</summary>
public sealed class PagingTests
{
    [Theory]
    [InlineData(10)]
    [InlineData(7)]
    [InlineData(200)]
    public async Task ARR_03_Every_row_of_a_long_list_is_returned_once(int pageSize)
    {
        await using var fake = await FakeArr.StartAsync();
        for (var id = 1; id <= 53; id++)
            fake.History.Add(
                new JsonObject { ["id"] = id, ["downloadId"] = "a b&c", ["eventType"] = "grabbed", ["date"] = "2030-01-01T00:00:00Z" });
        using var client = new ArrClient(fake.Options() with { PageSize = pageSize });

        var rows = (await client.HistoryAsync("a b&c")).Value!;

        Assert.Equal(Enumerable.Range(1, 53), rows.Select(row => row.Id));
        Assert.Equal((53 + pageSize - 1) / pageSize, fake.Lines("GET").Length);
    }

    [Fact]
    public async Task ARR_03_An_endless_list_is_an_error_and_not_a_partial_result()
    {
        await using var fake = await FakeArr.StartAsync();
        for (var id = 1; id <= 53; id++)
            fake.Queue.Add(new JsonObject { ["id"] = id, ["protocol"] = "usenet" });
        using var client = new ArrClient(fake.Options() with { PageSize = 10, MostRows = 20 });

        Assert.Equal(ArrErrorKind.TooLarge, (await client.QueueAsync()).Error!.Kind);
    }
}

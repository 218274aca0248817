using NzbDav.Api.Sab.Calls;
using NzbDav.Fakes;

namespace NzbDav.Api.Tests.Sab;

/// <summary>The answer of every mode, by names and types of its members.</summary>
public sealed class ModeTests
{
    private const string QueueTop =
        "cache_art:s,cache_size:s,diskspace1:s,diskspace1_norm:s,diskspace2:s,diskspace2_norm:s,diskspacetotal1:s,diskspacetotal2:s,finish:i,finishaction:null," +
        "have_quota:b,have_warnings:s,kbpersec:s,left_quota:s,limit:i,mb:s,mbleft:s,noofslots:i,noofslots_total:i,pause_int:s,paused:b,paused_all:b,quota:s,size:s," +
        "sizeleft:s,slots:[{SLOTS}],speed:s,speedlimit:s,speedlimit_abs:s,start:i,status:s,timeleft:s,version:s";

    private const string QueueSlot =
        "{avg_age:s,cat:s,direct_unpack:null,filename:s,index:i,labels:[],mb:s,mbleft:s,mbmissing:s,nzo_id:s,password:s,percentage:s,priority:s,script:s,size:s,sizeleft:s," +
        "status:s,time_added:i,timeleft:s,unpackopts:s}";

    private const string HistoryTop =
        "day_size:s,last_history_update:i,month_size:s,noofslots:i,ppslots:i,slots:[{SLOTS}],total_size:s,version:s,week_size:s";

    private const string HistorySlot =
        "{action_line:s,archive:b,bytes:i,category:s,completed:i,completeness:null,download_time:i,downloaded:i,duplicate_key:s,fail_message:s,loaded:b,md5sum:s,meta:null," +
        "name:s,nzb_name:s,nzo_id:s,password:s,path:s,postproc_time:i,pp:s,report:s,retry:b,script:s,script_line:s,series:null,size:s,stage_log:[{actions:[s],name:s}],status:s," +
        "storage:s,time_added:i,url:s,url_info:s}";

    private const string Status =
        "{status:{color:s,completedir:s,diskspace1:s,diskspace2:s,diskspacetotal1:s,diskspacetotal2:s,downloaddir:s,have_warnings:s,kbpersec:s,loadavg:s,pause_int:s,paused:b," +
        "paused_all:b,servers:[{serveractive:b,serveractiveconn:i,serverconnections:[],servererror:s,servername:s,serveroptional:b,serverpriority:i,servertotalconn:i}]," +
        "speed:s,speedlimit:s,speedlimit_abs:s,uptime:s,version:s,warnings:[]}}";

    private const string Stats = "total:i,week:i";

    [Theory]
    [InlineData("mode=version", "{version:s}")]
    [InlineData("mode=auth", "{auth:s}")]
    [InlineData("mode=queue", "{queue:{" + QueueTop + "}}")]
    [InlineData("mode=status", Status)]
    [InlineData("mode=fullstatus&skip_dashboard=1", Status)]
    [InlineData("mode=get_cats", "{categories:[s]}")]
    [InlineData("mode=get_scripts", "{scripts:[s]}")]
    [InlineData("mode=warnings", "{warnings:[]}")]
    [InlineData("mode=warnings&name=clear", "{status:b}")]
    [InlineData("mode=pause", "{status:b}")]
    [InlineData("mode=resume", "{status:b}")]
    [InlineData("mode=config&name=set_pause&value=5", "{status:b}")]
    [InlineData("mode=config&name=speedlimit&value=5M", "{status:b}")]
    [InlineData("mode=queue&name=delete&value=QUEUED", "{nzo_ids:[s],status:b}")]
    [InlineData("mode=queue&name=delete&value=all", "{nzo_ids:[s],status:b}")]
    [InlineData("mode=queue&name=purge", "{nzo_ids:[s],status:b}")]
    [InlineData("mode=queue&name=pause&value=QUEUED", "{nzo_ids:[s],status:b}")]
    [InlineData("mode=queue&name=priority&value=QUEUED&value2=1", "{position:i}")]
    [InlineData("mode=queue&name=rename&value=QUEUED&value2=other&value3=secret", "{status:b}")]
    [InlineData("mode=queue&name=sort&sort=name&dir=asc", "{status:b}")]
    [InlineData("mode=queue&name=change_complete_action&value=shutdown", "{status:b}")]
    [InlineData("mode=history&name=delete&value=FAILED", "{status:b}")]
    [InlineData("mode=history&name=mark_as_completed&value=FAILED", "{status:b}")]
    [InlineData("mode=retry&value=FAILED", "{nzo_id:s,status:b}")]
    [InlineData("mode=retry_all", "{status:[s]}")]
    [InlineData("mode=pause_pp", "{status:b}")]
    [InlineData("mode=resume_pp", "{status:b}")]
    [InlineData("mode=watched_now", "{status:b}")]
    [InlineData("mode=rss_now", "{status:b}")]
    [InlineData("mode=addurl&name=http://127.0.0.1:1/x.nzb", "{nzo_ids:[s],status:b}")]
    [InlineData("mode=get_files&value=QUEUED", "{files:[{age:s,bytes:s,filename:s,mb:s,mbleft:s,nzf_id:s,status:s}]}")]
    [InlineData("mode=change_cat&value=QUEUED&value2=movies", "{status:b}")]
    [InlineData("mode=change_script&value=QUEUED&value2=None", "{status:b}")]
    [InlineData("mode=change_opts&value=QUEUED&value2=3", "{status:b}")]
    [InlineData("mode=switch&value=QUEUED&value2=0", "{result:{position:i,priority:i}}")]
    [InlineData("mode=server_stats", "{day:i,month:i,servers:{news.example.org:{articles_success:{2030-01-01:i},articles_tried:{2030-01-01:i},daily:{2030-01-01:i},day:i,month:i," + Stats + "}}," + Stats + "}")]
    [InlineData("mode=shutdown", "{error:s,status:b}")]
    [InlineData("", "{error:s,status:b}")]
    public async Task SAB_01_answers_have_the_members_and_types_that_clients_parse(string query, string shape)
    {
        await using var sab = await SabFixture.OpenAsync();
        sab.Traffic.Rows[0] = sab.Traffic.Rows[0] with { Bytes = 5_000_000_000, Articles = 7, Tried = 8 };
        await sab.CompleteAsync("done");
        var failed = await sab.FailAsync("failed");
        await sab.RunAsync("running");
        var queued = await sab.QueueAsync("queued");
        query = query.Replace("QUEUED", NzoId.Of(queued.Id), StringComparison.Ordinal)
            .Replace("FAILED", NzoId.Of(failed.Id), StringComparison.Ordinal);
        Assert.Equal(shape.Replace("{SLOTS}", QueueSlot, StringComparison.Ordinal), Shape.Of(await sab.AskAsync(query)));
    }

    [Fact]
    public async Task SAB_01_warnings_and_jobs_of_local_files_have_their_members_and_types()
    {
        await using var sab = await SabFixture.OpenAsync();
        var path = Path.Combine(sab.Folder, "Local show.nzb");
        await File.WriteAllBytesAsync(path, "no nzb"u8.ToArray());
        Assert.Equal("{nzo_ids:[],status:b}", Shape.Of(await sab.AskAsync($"mode=addlocalfile&name={Uri.EscapeDataString(path)}")));
        await File.WriteAllBytesAsync(path, SabFixture.Nzb("x"));
        Assert.Equal("{nzo_ids:[s],status:b}", Shape.Of(await sab.AskAsync($"mode=addlocalfile&name={Uri.EscapeDataString(path)}")));
        foreach (var query in (string[])["mode=warnings", "mode=warnings&name=show"])
            Assert.Equal("{warnings:[{origin:s,text:s,time:i,type:s}]}", Shape.Of(await sab.AskAsync(query)));
    }

    [Fact]
    public async Task SAB_01_a_slot_of_the_history_has_its_members_and_types()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.CompleteAsync("done");
        Assert.Equal("{history:{" + HistoryTop.Replace("{SLOTS}", HistorySlot, StringComparison.Ordinal) + "},status:b}",
            Shape.Of(await sab.AskAsync("mode=history")));
    }

    [Fact]
    public async Task SAB_01_the_configuration_passes_the_tests_of_the_arrs()
    {
        await using var sab = await SabFixture.OpenAsync();
        var config = (await sab.AskAsync("mode=get_config")).GetProperty("config");
        var misc = config.GetProperty("misc");
        Assert.Equal("/mnt/films/completed-symlinks", misc.GetProperty("complete_dir").GetString());
        foreach (var sorting in (string[])["enable_tv_sorting", "enable_movie_sorting", "enable_date_sorting", "pre_check"])
            Assert.False(misc.GetProperty(sorting).GetBoolean());
        Assert.Equal(("0", "all", "i"), (misc.GetProperty("history_retention").GetString(),
            misc.GetProperty("history_retention_option").GetString(), Shape.Of(misc.GetProperty("history_retention_number"))));
        foreach (var list in (string[])["tv_categories", "movie_categories", "date_categories"])
            Assert.Equal(0, misc.GetProperty(list).GetArrayLength());
        Assert.Equal("[{dir:s,name:s,newzbin:s,order:i,pp:s,priority:i,script:s}]", Shape.Of(config.GetProperty("categories")));
        Assert.Equal(["*", "books", "movies", "music", "other", "tv"],
            config.GetProperty("categories").EnumerateArray().Select(category => category.GetProperty("name").GetString()));
        Assert.All(config.GetProperty("categories").EnumerateArray(),
            category => Assert.False(category.GetProperty("dir").GetString()!.EndsWith('*')));
        Assert.Equal("[]", Shape.Of(config.GetProperty("sorters")));

        var part = await sab.AskAsync("mode=get_config&section=misc&keyword=complete_dir");
        Assert.Equal("{config:{misc:{complete_dir:s}}}", Shape.Of(part));
    }

    [Fact]
    public async Task SAB_11_a_new_category_is_visible_to_clients_and_in_the_tree()
    {
        await using var sab = await SabFixture.OpenAsync();
        await sab.CompleteAsync("song", "Musik ü");
        Assert.Contains("Musik ü",
            (await sab.AskAsync("mode=get_cats")).GetProperty("categories").EnumerateArray().Select(category => category.GetString()));
        Assert.NotNull(await sab.Tree.ResolveAsync(["content", "Musik ü", "song"], CancellationToken.None));
        Assert.Equal("Musik ü", Assert.Single(ArrReader.History(await sab.AskAsync("mode=history&cat=Musik%20%C3%BC"))).Category);
        Assert.Equal("musik ü", Assert.Single(ArrReader.History(await sab.AskAsync("mode=history&cat=musik%20%C3%BC"))).Category);
    }

    [Fact]
    public async Task Statistics_survive_a_restart()
    {
        using var folder = new TemporaryFolder();
        await using (var sab = await SabFixture.OpenAsync(folder.Path))
        {
            sab.Traffic.Rows[0] = sab.Traffic.Rows[0] with { Bytes = 5_000_000_000 };
            Assert.Equal(5_000_000_000, (await sab.AskAsync("mode=server_stats")).GetProperty("day").GetInt64());
        }

        await using var again = await SabFixture.OpenAsync(folder.Path);
        again.Time.Advance(TimeSpan.FromDays(1));
        again.Traffic.Rows[0] = again.Traffic.Rows[0] with { Bytes = 1 };
        var stats = await again.AskAsync("mode=server_stats");
        Assert.Equal((5_000_000_001, 1), (stats.GetProperty("total").GetInt64(), stats.GetProperty("day").GetInt64()));
    }
}

using System.Text.Json;
using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Catalog.Torrents;
using NzbDav.Seeding;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Api.Tests.QBittorrent;

/// <summary>How torrents appear in <c>torrents/info</c>, and what the *arrs make of that.</summary>
public sealed class StateTests
{
    private const string Folder = "/mnt/completed-symlinks";

    /// <summary>
    /// State, whether it can be imported, whether it is forced; the state's word, and the status that Sonarr and Radarr derive.
    /// </summary>
    public static TheoryData<TorrentState, bool, bool, string, string> States => new()
    {
        { TorrentState.Metadata, false, false, "metaDL", "Queued" },
        { TorrentState.Metadata, false, true, "forcedMetaDL", "Queued" },
        { TorrentState.DownloadQueued, false, false, "queuedDL", "Queued" },
        { TorrentState.Downloading, false, false, "downloading", "Downloading" },
        { TorrentState.Downloading, false, true, "forcedDL", "Downloading" },
        { TorrentState.DownloadStalled, false, false, "stalledDL", "Warning" },
        { TorrentState.DownloadStopped, false, false, "stoppedDL", "Paused" },
        { TorrentState.Checking, false, false, "checkingDL", "Queued" },
        { TorrentState.Checking, true, false, "checkingUP", "Queued" },
        { TorrentState.Moving, true, false, "moving", "Downloading" },
        { TorrentState.Missing, true, false, "missingFiles", "Warning" },
        { TorrentState.Failed, false, false, "error", "Warning" },
        { TorrentState.Seeding, true, false, "uploading", "Completed" },
        { TorrentState.Seeding, true, true, "forcedUP", "Completed" },
        { TorrentState.SeedIdle, true, false, "stalledUP", "Completed" },
        { TorrentState.SeedQueued, true, false, "queuedUP", "Completed" },
        { TorrentState.SeedStopped, true, false, "stoppedUP", "Completed" },

        // Imported while the rest is still downloaded.
        { TorrentState.Downloading, true, false, "uploading", "Completed" },
        { TorrentState.DownloadStalled, true, false, "stalledUP", "Completed" },
    };

    [Theory]
    [MemberData(nameof(States))]
    public void QBT_04_Each_state_maps_to_a_word_the_arrs_know(TorrentState state, bool isReady, bool isForced, string word, string arr)
    {
        var torrent = Torrent(state, isReady) with { UpRate = state is TorrentState.Seeding or TorrentState.Downloading ? 100 : 0 };
        torrent = torrent with { Entry = torrent.Entry with { IsForced = isForced } };
        Assert.Equal(word, QbitState.Of(torrent, isVisible: true));
        Assert.Equal(arr, ArrTorrent.Read(Json(QbitTorrent.Of(torrent, Folder, isVisible: true))).Status);
    }

    /// <summary>cross-seed starts what is complete: a private tracker would then see a download.</summary>
    [Fact]
    public void QBT_09_A_torrent_that_was_added_beside_data_shows_what_is_held_until_it_is_started()
    {
        var torrent = Torrent(TorrentState.DownloadStopped, isReady: true);
        torrent = torrent with { Entry = torrent.Entry with { SavePath = "/links", IsStopped = true }, Held = 0 };
        var shown = QbitTorrent.Of(torrent, Folder, isVisible: true);
        Assert.Equal(("stoppedDL", torrent.Wanted), (shown.State, shown.AmountLeft));
        Assert.True(shown.Progress < 1);
        shown = QbitTorrent.Of(torrent with { Entry = torrent.Entry with { IsStopped = false } }, Folder, isVisible: true);
        Assert.Equal(1, shown.Progress);
    }

    [Fact]
    public void QBT_04_A_torrent_not_yet_listed_in_the_mount_is_not_complete()
    {
        var item = ArrTorrent.Read(Json(QbitTorrent.Of(Torrent(TorrentState.SeedIdle, isReady: true), Folder, isVisible: false)));
        Assert.Equal("Downloading", item.Status);
    }

    [Fact]
    public void QBT_05_The_content_path_is_the_published_folder_and_never_the_save_path()
    {
        var item = ArrTorrent.Read(Json(QbitTorrent.Of(Torrent(TorrentState.SeedIdle, isReady: true), Folder, isVisible: true)));
        Assert.Equal((Folder + "/tv", Folder + "/tv/Job (2)"), (item.SavePath, item.OutputPath));
        foreach (var state in Enum.GetValues<TorrentState>())
        {
            foreach (var isDescribed in new[] { false, true })
            {
                var torrent = QbitTorrent.Of(
                    Torrent(state, isReady: false) with { IsDescribed = isDescribed, ContentPath = [] }, Folder, isVisible: true);
                Assert.NotEqual(torrent.SavePath, torrent.ContentPath);
                Assert.Equal(isDescribed ? Folder + "/tv/Show" : "", torrent.ContentPath);
            }
        }
    }

    [Fact]
    public void A_streamed_torrent_can_be_removed_once_it_is_imported()
    {
        var streamed = Torrent(TorrentState.SeedIdle, isReady: true) with { Policy = new SharePolicy() };
        var item = ArrTorrent.Read(Json(QbitTorrent.Of(streamed, Folder, isVisible: true)));
        Assert.Equal(("stoppedUP", true), (item.State, item.CanBeRemoved));

        // One whose category says that it is never seeded is done, whatever limit the *arr gave it.
        var asked = streamed.Entry with { Policy = new TorrentPolicy { Ratio = 2, SeedMinutes = 60 } };
        var never = streamed with { Entry = asked, Policy = new SharePolicy { Ratio = 2 } };
        item = ArrTorrent.Read(Json(QbitTorrent.Of(never, Folder, isVisible: true)));
        Assert.Equal(("stoppedUP", true), (item.State, item.CanBeRemoved));

        // A torrent that the *arr wants seeded to a ratio is kept, and not done yet.
        var limited = never with { Policy = new SharePolicy { Cause = KeepCause.Limits, Ratio = 2 } };
        item = ArrTorrent.Read(Json(QbitTorrent.Of(limited, Folder, isVisible: true)));
        Assert.Equal(("stalledUP", false), (item.State, item.CanBeRemoved));

        // Nor is a kept torrent: the user decides how long it seeds.
        item = ArrTorrent.Read(Json(QbitTorrent.Of(Torrent(TorrentState.SeedIdle, isReady: true), Folder, isVisible: true)));
        Assert.False(item.CanBeRemoved);
    }

    [Theory]
    [InlineData(TorrentState.SeedStopped, 1.5, true)]
    [InlineData(TorrentState.SeedStopped, 1.2, false)]
    [InlineData(TorrentState.SeedIdle, 1.5, false)]
    public void A_torrent_that_stopped_at_the_limit_of_its_category_can_be_removed(TorrentState state, double ratio, bool expected)
    {
        var policy = new SharePolicy { Cause = KeepCause.Category, Ratio = 1.5 };
        var torrent = Torrent(state, isReady: true) with { Ratio = ratio, Policy = policy };
        Assert.Equal(expected, ArrTorrent.Read(Json(QbitTorrent.Of(torrent, Folder, isVisible: true))).CanBeRemoved);
    }

    [Theory]
    [InlineData(2.0, 1.9, null, 0, false)]
    [InlineData(2.0, 1.9996, null, 0, true)]
    [InlineData(null, 0.0, 60, 3_599, false)]
    [InlineData(null, 0.0, 60, 3_600, true)]
    [InlineData(-1.0, 99.0, -1, 999_999, false)]
    public void A_stopped_torrent_can_be_removed_once_its_limit_is_reached(
        double? ratioLimit, double ratio, int? minutes, int seeded, bool expected)
    {
        var torrent = Torrent(TorrentState.SeedStopped, isReady: true);
        torrent = torrent with
        {
            Ratio = ratio,
            Entry = torrent.Entry with { Policy = new TorrentPolicy { Ratio = ratioLimit, SeedMinutes = minutes } },
            Totals = new TorrentTotals(0, 0, TimeSpan.FromSeconds(seeded), TimeSpan.FromSeconds(seeded), TimeSpan.Zero),
        };
        Assert.Equal(expected, ArrTorrent.Read(Json(QbitTorrent.Of(torrent, Folder, isVisible: true))).CanBeRemoved);
    }

    [Fact]
    public void Properties_have_comment_program_and_time_of_the_torrent()
    {
        (object?, object?, object?) Told(TorrentOrigin origin)
        {
            var torrent = Torrent(TorrentState.SeedIdle, isReady: true) with { Origin = origin };
            var properties = TorrentProperties.Of(QbitTorrent.Of(torrent, Folder, isVisible: true), connections: 0);
            return (properties["comment"], properties["created_by"], properties["creation_date"]);
        }

        var origin = new TorrentOrigin("https://example.org/7", "mktorrent", 1_700_000_000);
        Assert.Equal(("https://example.org/7", "mktorrent", 1_700_000_000L), Told(origin));
        Assert.Equal(("", "", -1L), Told(TorrentOrigin.None));
    }

    [Fact]
    public void All_members_have_the_types_of_qBittorrent()
    {
        var types = Shape.Of(Json(QbitTorrent.Of(Torrent(TorrentState.Downloading, isReady: false)
            with
        { Availability = 1.25, Ratio = 0.5, Progress = 0.25 }, Folder, isVisible: true)));
        Assert.Equal(
            "{added_on:i,amount_left:i,auto_tmm:b,availability:f,category:s,comment:s,completed:i,completion_on:i,content_path:s,dl_limit:i,dlspeed:i,download_path:s,downloaded:i," +
            "downloaded_session:i,eta:i,f_l_piece_prio:b,force_start:b,has_metadata:b,hash:s,inactive_seeding_time_limit:i,infohash_v1:s,infohash_v2:s,last_activity:i,magnet_uri:s," +
            "max_inactive_seeding_time:i,max_ratio:i,max_seeding_time:i,name:s,num_complete:i,num_incomplete:i,num_leechs:i,num_seeds:i,popularity:i,priority:i,private:b,progress:f,ratio:f," +
            "ratio_limit:i,reannounce:i,root_path:s,save_path:s,seeding_time:i,seeding_time_limit:i,seen_complete:i,seq_dl:b,size:i,state:s,super_seeding:b,tags:s,time_active:i,total_size:i," +
            "tracker:s,trackers_count:i,up_limit:i,uploaded:i,uploaded_session:i,upspeed:i}",
            types);
    }

    /// <summary>A kept torrent.</summary>
    private static TorrentView Torrent(TorrentState state, bool isReady) => new()
    {
        Entry = new TorrentEntry
        { Hash = new string('a', 40), Category = "tv", Tags = ["one", "two"], Added = DateTimeOffset.UnixEpoch.AddDays(20_000) },
        Name = "Show",
        State = state,
        IsReady = isReady,
        IsDescribed = state != TorrentState.Metadata,
        Policy = new SharePolicy { Cause = KeepCause.Category },
        Size = 1_000,
        Wanted = 1_000,
        ContentPath = isReady ? ["tv", "Job (2)"] : [],
        JobId = 7,
    };

    private static JsonElement Json(QbitTorrent torrent)
    {
        var reply = QbitReply.Json(writer =>
        {
            writer.WriteStartObject();
            TorrentColumns.Write(writer, TorrentColumns.ValuesOf(torrent), withHash: true);
            writer.WriteEndObject();
        });
        return JsonDocument.Parse(reply.Body).RootElement;
    }
}

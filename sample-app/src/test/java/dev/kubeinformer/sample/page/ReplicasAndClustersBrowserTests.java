package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.util.List;

import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.ActiveProfiles;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.fixtures.browser.RequiresBrowser;
import dev.kubeinformer.test.LeaderControls;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page in Chromium with several clusters and an election of a leader. The
 * pictures are in {@code target/screenshots}.
 */
@RequiresBrowser
@Tag("slow")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.activity.delay=200ms", "sample.activity.period=500ms", "sample.stop-edge.time=15s",
				"sample.revoke-leadership.time=15s" })
@ActiveProfiles({ "clusters", "replicas" })
class ReplicasAndClustersBrowserTests {

	private static final String LEADER = Page.console("leader");

	private static final String FOOS = Page.console("reconciler", "fooReconciler");

	private static Browser browser;

	@LocalServerPort
	private int port;

	private Page page;

	@BeforeAll
	static void startBrowser() {
		browser = Browser.start();
	}

	@AfterAll
	static void stopBrowser() {
		browser.close();
	}

	@BeforeEach
	void openPage() {
		this.page = Page.open(browser, this.port, 6);
		await().untilAsserted(() -> assertThat(browser.texts(LEADER + ".ic-state")).containsExactly("leading"));
	}

	@AfterEach
	void consoleShouldBeEmpty() {
		assertThat(browser.console()).isEmpty();
	}

	@Test
	void informersHandlersAndEventsShouldNameTheirCluster() {
		assertThat(browser.texts(Page.console("informer") + ".ic-id")).contains("pods", "edge.pods", "hub.pods");
		assertThat(browser.texts(Page.console("handler") + ".ic-id")).contains("edge.clusterPodHandler",
				"hub.clusterPodHandler");
		assertThat(browser.texts("#picture .server .name")).containsExactlyInAnyOrder("API server", "edge", "hub");
		await().untilAsserted(() -> {
			// they follow the picture after a while, to be readable
			assertThat(browser.texts("#words li")).anyMatch((text) -> text.startsWith("edge.pods is live")
					&& text.contains("They go to edge.clusterPodHandler ("));
			assertThat(browser.texts("#rows [data-source='edge.clusterPodHandler'] .note")).contains("in cluster edge");
			assertThat(browser.texts("#rows [data-source='hub.clusterPodHandler'] .note")).contains("in cluster hub");
		});
	}

	@Test
	void stoppedClusterShouldTurnStaleAlone() {
		this.page.click("stop-edge");
		await().untilAsserted(() -> assertThat(broken()).containsExactly("edge.pods"));
		await().untilAsserted(() -> assertThat(broken()).isEmpty());
		await().untilAsserted(() -> assertThat(this.page.effect("stop-edge"))
			.isEqualTo("edge.pods: live → stale → live, lists still 1; hub.pods: live, pods: live. Done."));
	}

	private static List<String> broken() {
		return browser.run("return [...document.querySelectorAll(`#picture .wire:not([data-state='LIVE'])`)]"
				+ ".map((wire) => wire.dataset.informer)");
	}

	@Test
	void leaderShouldBeShownAndStandByWhileAnotherLeads() {
		assertThat(browser.texts(LEADER + ".ic-id")).containsExactly("Lease default/informer-sample");
		this.page.click("revoke-leadership");
		await().untilAsserted(() -> {
			assertThat(browser.texts(LEADER + ".ic-state")).containsExactly("standby");
			assertThat(browser.text(LEADER)).contains(LeaderControls.RIVAL);
			assertThat(browser.texts(FOOS + ".ic-state")).containsExactly("standby");
		});
		await().untilAsserted(() -> {
			assertThat(browser.texts(LEADER + ".ic-state")).containsExactly("leading");
			assertThat(browser.texts(FOOS + ".ic-state")).containsExactly("active");
			assertThat(browser.texts("#rows [data-source='leader'] .type")).contains("STANDBY", "LEADING");
			assertThat(this.page.effect("revoke-leadership")).matches(
					"This replica: leading → .*standby → .*leading; " + "fooReconciler: active → .*standby → .*active");
		});
	}

	@Test
	void pageShouldFitAndBeAccessibleInEachWidthAndColorScheme() throws IOException {
		for (String scheme : List.of("light", "dark")) {
			browser.prefer(scheme);
			for (int width : List.of(1280, 390)) {
				browser.resize(width, 1000);
				this.page.assertFits(width);
				assertThat(browser.violations()).as("%s %d", scheme, width).isEmpty();
				assertThat(browser.screenshot("replicas-and-clusters-%s-%d".formatted(scheme, width))).isNotEmptyFile();
			}
		}
	}

	private static ConditionFactory await() {
		return Page.await();
	}

}

package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
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

import dev.kubeinformer.test.LeaderControls;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page in Chromium with several clusters and an election of a leader. The
 * pictures are in {@code target/screenshots}.
 */
@RequiresBrowser
@Tag("slow")
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "sample.activity.delay=200ms", "sample.activity.period=500ms", "sample.stop-edge.time=6s",
				"sample.revoke-leadership.time=8s" })
@ActiveProfiles({ "clusters", "replicas" })
class ReplicasAndClustersBrowserTests {

	private static final String LEADER = "#leader ";

	private static Browser browser;

	@LocalServerPort
	private int port;

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
		browser.resize(1280, 1000);
		browser.prefer("light");
		browser.open("http://localhost:%d/".formatted(this.port));
		await().untilAsserted(() -> {
			assertThat(browser.texts("#informers .pill")).hasSize(6).containsOnly("live");
			assertThat(browser.text(LEADER + "[data-field='leads']")).isEqualTo("yes");
		});
	}

	@AfterEach
	void consoleShouldBeEmpty() {
		assertThat(browser.console()).isEmpty();
	}

	@Test
	void informersHandlersAndEventsShouldNameTheirCluster() {
		assertThat(browser.texts("#informers h3")).contains("pods", "edge.pods", "hub.pods");
		assertThat(browser.text("[data-informer='edge.pods'] .scope")).isEqualTo("in the whole cluster edge");
		assertThat(browser.text("[data-informer='pods'] .scope")).isEqualTo("in the whole cluster");
		assertThat(browser.texts("#handlers h3")).contains("edge.clusterPodHandler", "hub.clusterPodHandler");
		await().untilAsserted(() -> {
			assertThat(browser.texts("#rows [data-source='edge.clusterPodHandler'] .note")).contains("in cluster edge");
			assertThat(browser.texts("#rows [data-source='hub.clusterPodHandler'] .note")).contains("in cluster hub");
		});
	}

	@Test
	void stoppedClusterShouldTurnStaleAlone() {
		click("stop-edge");
		await().untilAsserted(() -> assertThat(browser.text("[data-informer='edge.pods'] .pill")).isEqualTo("stale"));
		assertThat(browser.text("[data-informer='hub.pods'] .pill")).isEqualTo("live");
		assertThat(browser.text("[data-informer='pods'] .pill")).isEqualTo("live");
		await().untilAsserted(() -> assertThat(browser.text("[data-informer='edge.pods'] .pill")).isEqualTo("live"));
	}

	@Test
	void leaderShouldBeShownAndStandByWhileAnotherLeads() {
		assertThat(browser.text(LEADER + "h3")).isEqualTo("Lease default/informer-sample");
		assertThat(browser.text(LEADER + ".pill")).isEqualTo("leading");
		assertThat(browser.text(LEADER + ".scope")).endsWith(", this replica");
		assertThat(browser.text(LEADER + "[data-field='slack']")).matches("\\d+\\.\\d s");
		click("revoke-leadership");
		await().untilAsserted(() -> {
			assertThat(browser.text(LEADER + "[data-field='leads']")).isEqualTo("no");
			assertThat(browser.text(LEADER + ".pill")).isEqualTo("standby");
			assertThat(browser.text(LEADER + ".scope")).isEqualTo("held by " + LeaderControls.RIVAL);
			assertThat(browser.text(LEADER + "[data-field='slack']")).isEqualTo("–");
			assertThat(browser.text("[data-reconciler='fooReconciler'] .pill")).isEqualTo("standby");
		});
		await().untilAsserted(() -> {
			assertThat(browser.text(LEADER + "[data-field='leads']")).isEqualTo("yes");
			assertThat(browser.text("[data-reconciler='fooReconciler'] .pill")).isEqualTo("active");
			assertThat(browser.texts("#rows [data-source='leader'] .type")).contains("STANDBY", "LEADING");
		});
	}

	@Test
	void pageShouldFitOnSmallScreensAndInBothColorSchemes() throws IOException {
		for (String scheme : List.of("light", "dark")) {
			browser.prefer(scheme);
			browser.resize(1280, 1000);
			assertThat(browser.screenshot("replicas-and-clusters-" + scheme)).isNotEmptyFile();
			assertFits(1280);
		}
		browser.resize(400, 800);
		assertFits(400);
		assertThat(browser.screenshot("replicas-and-clusters-small")).isNotEmptyFile();
	}

	private static void assertFits(int width) {
		assertThat(browser.<Long>run("return document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
	}

	private static void click(String experiment) {
		String button = "[data-experiment='%s'] button".formatted(experiment);
		await().until(() -> "false".equals(browser.element(button).getDomAttribute("aria-disabled")));
		browser.click(button);
	}

	private static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofSeconds(60));
	}

}

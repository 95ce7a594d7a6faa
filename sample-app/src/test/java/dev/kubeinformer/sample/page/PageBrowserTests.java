package dev.kubeinformer.sample.page;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodStatus;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.util.TestSocketUtils;

import dev.kubeinformer.fixtures.browser.Browser;
import dev.kubeinformer.sample.SampleApplication;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the page in Chromium. The pictures are in {@code target/screenshots}.
 */
@PageTest
@Tag("slow")
class PageBrowserTests {

	private static final String PODS = Page.console("informer", "pods");

	private static final String AUDIT = Page.console("handler", "auditHandler");

	private static final String POD_HANDLER = Page.console("handler", "podHandler");

	private static Browser browser;

	@LocalServerPort
	private int port;

	@Autowired
	private EmbeddedKubernetes kubernetes;

	@Autowired
	private LiveClients clients;

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
		this.page = Page.open(browser, this.port, 4);
	}

	@AfterEach
	void consoleShouldBeEmpty() {
		assertThat(browser.console()).isEmpty();
	}

	@Test
	void pageShouldShowInformersHandlersAndEvents() {
		assertThat(browser.texts(Page.console("informer") + ".ic-id")).containsExactlyInAnyOrder("pods", "nodes",
				"deployments.apps", "foos.samplecontroller.example.com");
		assertThat(browser.texts(Page.console("handler") + ".ic-id")).containsExactlyInAnyOrder("podHandler",
				"nodeHandler", "auditHandler");
		assertThat(browser.text("#connection")).isEqualTo("connected");
		// for the same assertion on a real cluster
		assertThat(browser.count("informers-console .ic-actions:not([hidden])")).isPositive();
		int handled = this.page.number(POD_HANDLER + "[data-field='handled']");
		await().untilAsserted(() -> {
			assertThat(browser.texts("#rows [data-source='podHandler'] .type")).contains("ADD", "UPDATE", "DELETE");
			assertThat(this.page.number(POD_HANDLER + "[data-field='handled']")).isGreaterThan(handled);
		});
	}

	@Test
	void linksShouldLeadSomewhere() throws Exception {
		await().untilAsserted(() -> assertThat(browser.texts("nav a:not([hidden])")).containsExactly("Readiness",
				"Informers endpoint", "RBAC", "Metrics", "Console alone"));
		List<String> links = browser.run("return [...document.querySelectorAll('nav a')].map((link) => link.href)");
		for (String link : links) {
			assertThat(HttpClient.newHttpClient()
				.send(HttpRequest.newBuilder(URI.create(link)).build(), HttpResponse.BodyHandlers.ofString())
				.statusCode()).as(link).isEqualTo(200);
		}
	}

	@Test
	@Tag("slow")
	void cutWatchesShouldResumeWithoutList() {
		long last = this.page.lastRow();
		this.kubernetes.clearRequests();
		int lists = this.page.number(PODS + "[data-field='lists']");
		this.page.click("cut-watches");
		this.page.awaitStaleAndLive(last, "pods");
		await().untilAsserted(() -> assertThat(this.page.effect("cut-watches"))
			.startsWith("pods: live → stale → live, lists still " + lists));
		assertThat(this.page.number(PODS + "[data-field='lists']")).isEqualTo(lists);
		// A request for one object is not a list: it checks that the server has not lost
		// anything.
		assertThat(this.kubernetes.requests()).anyMatch(Requests.watch("pods"))
			.filteredOn(Requests.list("pods"))
			.allMatch((request) -> "1".equals(request.parameter("limit")));
	}

	@Test
	void expiredVersionShouldBeListedAgainOnceAndLoseNothing() {
		long last = this.page.lastRow();
		int lists = this.page.number(PODS + "[data-field='lists']");
		this.page.click("expire-version");
		await().untilAsserted(() -> assertThat(this.page.effect("expire-version")).isEqualTo(
				"pods: live → stale → live, lists %d → %d; redis-0: delete, add. Done.".formatted(lists, lists + 1)));
		await().untilAsserted(() -> {
			assertThat(this.page.number(PODS + "[data-field='lists']")).isEqualTo(lists + 1);
			assertThat(this.page.typesSince(last, "auditHandler", "shop/redis-0"))
				.filteredOn((type) -> !type.equals("UPDATE"))
				.containsExactly("DELETE", "ADD");
		});
	}

	@Test
	@Tag("slow")
	void stoppedApiShouldLeaveStaleCachesThatCatchUpWithoutList() {
		int lists = this.page.number(PODS + "[data-field='lists']");
		long last = this.page.lastRow();
		this.page.click("stop-api");
		await().untilAsserted(() -> {
			assertThat(browser.texts(Page.console("informer") + ".ic-state")).hasSize(4).containsOnly("stale");
			assertThat(browser.text(Page.button("stop-api"))).endsWith(" s to go");
		});
		assertThat(browser.text(Page.console("informer", "nodes") + "[data-field='objects']")).isEqualTo("3");
		this.page.awaitStaleAndLive(last, "pods");
		this.page.awaitStaleAndLive(last, "nodes");
		assertThat(this.page.number(PODS + "[data-field='lists']")).isEqualTo(lists);
		await().untilAsserted(() -> assertThat(browser.text(Page.button("stop-api"))).isEqualTo("Stop it for a while"));
	}

	@Test
	@Tag("slow")
	void slowHandlerShouldQueueWhileOthersGoOn() {
		int handled = this.page.number(POD_HANDLER + "[data-field='handled']");
		this.page.click("slow-handler");
		await().until(() -> this.page.number(AUDIT + "[data-field='queue']") >= 4);
		// its own resyncs are in its queue for a moment
		await().until(() -> this.page.number(POD_HANDLER + "[data-field='queue']") < 2);
		await().until(() -> this.page.number(AUDIT + "[data-field='queue']") == 0);
		assertThat(this.page.number(POD_HANDLER + "[data-field='handled']")).isGreaterThan(handled);
		await().untilAsserted(
				() -> assertThat(this.page.effect("slow-handler")).matches("auditHandler: drained, at most .*Done\\."));
	}

	@Test
	void handlerThatThrowsShouldBeTriedAgainUntilItWorks() {
		this.page.click("throwing-handler");
		await().untilAsserted(() -> assertThat(this.page.effect("throwing-handler"))
			.isEqualTo("Attempt 2 of 5 failed, 3 of 5 failed, 4 of 5 worked. Done: the event is handled, once."));
		assertThat(browser.texts("#rows [data-source='auditHandler'][data-type='ERROR'] .note"))
			.contains("attempt 1 of 5: IllegalStateException", "attempt 3 of 5: IllegalStateException");
	}

	@Test
	@Tag("slow")
	void handlerThatThrowsEachTimeShouldBeGivenUp() {
		this.page.click("hopeless-handler");
		await().untilAsserted(() -> assertThat(this.page.effect("hopeless-handler"))
			.isEqualTo("Attempt 3 of 5 failed, 4 of 5 failed, 5 of 5 failed. Given up, until the pod changes or is "
					+ "resynced."));
		assertThat(browser.texts("#rows [data-type='GAVE_UP'] .object")).contains("shop/redis-0");
	}

	@Test
	void reconcilerShouldBeShownWithItsRunsAndFailingKeys() {
		String foos = Page.console("reconciler", "fooReconciler");
		await().untilAsserted(() -> {
			assertThat(browser.texts(foos + ".ic-state")).containsExactly("active");
			assertThat(this.page.number(foos + "[data-field='runs']")).isPositive();
		});
		this.page.click("foreign-deployment");
		await().untilAsserted(() -> {
			assertThat(browser.texts(foos + ".ic-failing li")).singleElement()
				.asString()
				.startsWith("shop/second-storefront: IllegalStateException, failed ");
			assertThat(browser.texts("#rows [data-source='fooReconciler'] .type")).contains("DONE", "ERROR");
			assertThat(this.page.effect("foreign-deployment")).startsWith("second-storefront: failed ");
		});
		await().until(() -> browser.texts(foos + ".ic-failing li").isEmpty());
		await().untilAsserted(() -> assertThat(this.page.effect("foreign-deployment")).endsWith(" Done."));
	}

	@Test
	void recreatedPodShouldBeDeliveredAsDeleteAndAdd() {
		long last = this.page.lastRow();
		this.page.click("recreate-pod");
		for (String handler : List.of("podHandler", "auditHandler")) {
			// resyncs are updates
			await().untilAsserted(() -> assertThat(this.page.typesSince(last, handler, "shop/redis-0"))
				.filteredOn((type) -> !type.equals("UPDATE"))
				.containsExactly("DELETE", "ADD"));
		}
		await().untilAsserted(() -> assertThat(this.page.effect("recreate-pod"))
			.isEqualTo("podHandler: delete, add; auditHandler: delete, add"));
	}

	@Test
	void markupInObjectsShouldBeShownAsText() {
		String markup = "<img src=x onerror=\"window.injected=1\"><script>window.injected=1</script>";
		V1ObjectMeta metadata = new V1ObjectMeta().namespace("shop")
			.name("markup-0")
			.annotations(Map.of("note", markup));
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		pods.create(new V1Pod().metadata(metadata).status(new V1PodStatus().phase(markup)));
		await().untilAsserted(() -> assertThat(browser.texts("#rows [data-source='podHandler'] .note"))
			.anyMatch((note) -> note.startsWith(markup)));
		pods.delete("shop", "markup-0");
		assertThat(browser.count("#rows img, #rows script")).isZero();
		assertThat(browser.<Boolean>run("return window.injected === undefined")).isTrue();
	}

	@Test
	void rowsShouldBeBoundedAndFiltered() {
		ApiResources<V1Pod> pods = this.kubernetes.resources(V1Pod.class);
		for (int i = 0; i < 150; i++) {
			String phase = "Turn" + i;
			pods.edit("shop", "redis-0", (pod) -> pod.getStatus().setPhase(phase));
		}
		// what one handler got last may come before most of what the other got
		await().untilAsserted(() -> {
			assertThat(browser.texts("#rows .note")).anyMatch((note) -> note.contains("Turn149 "));
			assertThat(browser.count("#rows li")).isEqualTo(200);
		});
		browser.run("const source = document.getElementById('source'); source.value = 'nodeHandler';"
				+ "source.dispatchEvent(new Event('change')); return true");
		await().untilAsserted(
				() -> assertThat(browser.count("#rows li[data-source='podHandler']:not([hidden])")).isZero());
	}

	@Test
	void pageShouldConnectAgainAndMissNothing() {
		await().until(() -> this.clients.size() > 0);
		browser.run("""
				window.seen = [];
				const connection = document.getElementById('connection');
				new MutationObserver(() => window.seen.push(connection.textContent))
					.observe(connection, { childList: true, characterData: true, subtree: true });
				return true""");
		this.clients.endAll();
		await().until(() -> browser.<List<String>>run("return window.seen").contains("reconnecting"));
		this.kubernetes.resources(V1Pod.class).edit("shop", "redis-0", (pod) -> pod.getStatus().setPhase("Away"));
		await().untilAsserted(() -> {
			assertThat(browser.text("#connection")).isEqualTo("connected");
			assertThat(browser.texts("#rows .note")).anyMatch((note) -> note.startsWith("Away "));
		});
		assertThat(browser
			.<List<String>>run("return [...document.querySelectorAll('#rows li')].map((row) => row.dataset.id)"))
			.doesNotHaveDuplicates()
			.isSortedAccordingTo((one, other) -> Long.compare(Long.parseLong(other), Long.parseLong(one)));
	}

	@Test
	@Tag("slow")
	void pageShouldSayThatItIsOldWhenTheApplicationIsGone() throws IOException {
		String[] same = { "--sample.activity.delay=200ms", "--server.port=" + TestSocketUtils.findAvailableTcpPort() };
		try (ConfigurableApplicationContext other = new SpringApplication(SampleApplication.class).run(same)) {
			browser.open("http://localhost:%s/".formatted(other.getEnvironment().getProperty("local.server.port")));
			this.page.awaitLive(4);
			assertThat(browser.element("#gone").isDisplayed()).isFalse();
		}
		await().untilAsserted(() -> {
			assertThat(browser.text("#gone")).startsWith("The application does not respond.");
			assertThat(browser.count("#picture .wire[data-state='UNKNOWN']")).isEqualTo(4);
			assertThat(browser.count("informers-console[data-connection='away']")).isOne();
		});
		assertThat(browser.violations()).isEmpty();
		assertThat(browser.screenshot("page-gone")).isNotEmptyFile();
		try (ConfigurableApplicationContext other = new SpringApplication(SampleApplication.class).run(same)) {
			this.page.awaitLive(4);
			await().until(() -> !browser.element("#gone").isDisplayed());
			assertThat(other.isActive()).isTrue();
			browser.open("about:blank");
		}
		assertThat(browser.console()).allMatch((message) -> message.contains(" - Failed to load resource"));
	}

	@Test
	void pageShouldSayThatItIsOldWhenNothingArrivesAnyMore() {
		browser.run("""
				window.seen = [];
				const wire = document.querySelector('#picture .wire');
				new MutationObserver(() => window.seen.push(wire.dataset.state)).observe(wire, { attributes: true });
				let later = Date.now();
				Date.now = () => later += 40000; // half a minute is over whenever it looks
				return true""");
		await().until(() -> browser.<List<String>>run("return window.seen").containsAll(List.of("UNKNOWN", "LIVE")));
	}

	@Test
	@Tag("slow")
	void pageShouldFitOnSmallScreensAndInBothColorSchemes() throws IOException {
		long last = this.page.lastRow();
		this.page.click("cut-watches");
		this.page.awaitStaleAndLive(last, "pods");
		this.page.awaitStaleAndLive(last, "nodes");
		this.page.click("recreate-pod");
		this.page.click("slow-handler");
		await().until(() -> this.page.number(AUDIT + "[data-field='queue']") >= 4);
		for (String scheme : List.of("light", "dark")) {
			browser.prefer(scheme);
			browser.resize(1280, 1000);
			assertThat(browser.screenshot("page-" + scheme)).isNotEmptyFile();
			this.page.assertFits(1280);
		}
		browser.resize(390, 800);
		this.page.assertFits(390);
		assertThat(browser.screenshot("page-small")).isNotEmptyFile();
	}

	private static ConditionFactory await() {
		return Page.await();
	}

}

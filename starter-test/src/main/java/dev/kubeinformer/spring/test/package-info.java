/**
 * Tests of Spring applications on an embedded Kubernetes API: no cluster, no binaries, no
 * Docker.
 * <p>
 * {@link dev.kubeinformer.spring.test.EmbeddedKubernetesTest @EmbeddedKubernetesTest} on
 * a test class, beside {@code @SpringBootTest} or {@code @SpringJUnitConfig}, starts an
 * {@link dev.kubeinformer.test.EmbeddedKubernetes} for the application context and makes
 * every client of the context use it:
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;EmbeddedKubernetesTest
 * class PodHandlerTests {
 *
 *     &#064;Test
 *     void podShouldBeCounted(&#064;Autowired EmbeddedKubernetes kubernetes, &#064;Autowired PodCounter counter) {
 *         kubernetes.resources(V1Pod.class).create(pod("web", "one"));
 *         await().until(() -&gt; counter.count() == 1);
 *     }
 *
 * }
 * </pre>
 *
 * There is no annotation named {@code @EmbeddedKubernetes}, because the class of the
 * server, which tests inject, has that name.
 * <p>
 * Contexts are cached as always: classes with equal annotations share a context and with
 * it the server, and between two tests all objects are deleted and every informer and
 * handler of the context is waited for.
 * <p>
 * In every other test with a Spring context, informers refuse to connect to a cluster
 * that the test did not name; the property {@code kubernetes.client.allow-in-tests} lifts
 * that.
 */
@NullMarked
package dev.kubeinformer.spring.test;

import org.jspecify.annotations.NullMarked;

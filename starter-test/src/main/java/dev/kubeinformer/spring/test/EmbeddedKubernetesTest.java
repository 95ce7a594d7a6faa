package dev.kubeinformer.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Annotation for a test class whose application context uses its own
 * {@link dev.kubeinformer.test.EmbeddedKubernetes}. Combine it with
 * {@code @SpringBootTest}, {@code @SpringJUnitConfig} or another annotation that creates
 * the context.
 * <ul>
 * <li>The server is a bean, for injection into tests and other beans. With JUnit,
 * parameters of the types {@code EmbeddedKubernetes}, {@code ApiResources<V1Pod>} and
 * {@code ApiClient} need no {@code @Autowired}.</li>
 * <li>Every client of the context uses the server: {@code KubernetesConnectionDetails}
 * and a primary {@code ApiClient} are defined before auto-configuration, and
 * {@code ApiClient} beans of the application are redirected to the server and are no
 * longer primary. Clients that are not beans, such as {@code Config.defaultClient()} and
 * clients of other libraries, are not redirected; informers that are beans reject
 * them.</li>
 * <li>Test slices such as {@code @WebMvcTest} get the auto-configuration of informers in
 * addition to their own, so that listers can be injected. Slices do not scan for handlers
 * and reconcilers; use {@code @Import} to add the ones that the test needs.</li>
 * <li>In a {@code @ContextHierarchy} all levels share the server of the uppermost level,
 * and the test waits for the informers of all levels.</li>
 * <li>The server keeps its port and objects while the context is paused, stopped and
 * restarted. It is closed with the context.</li>
 * <li>A named cluster of the application has an embedded API only if {@link #clusters()}
 * names it. Access to the client of another named cluster fails.</li>
 * <li>Before the informers start, the CustomResourceDefinition of each class with
 * {@code @KubernetesResource} that the application handles, reconciles, owns, watches or
 * injects a cache of is created in the cluster where the application uses it. A
 * definition that already exists then, for example because a bean of the test has created
 * it, is not changed. So {@code kubernetes.resources(Widget.class)} and a parameter
 * {@code ApiResources<Widget>} need nothing else. {@link #definitions()} turns this
 * off.</li>
 * <li>With {@code kubernetes.leader.enabled} the application becomes the leader soon
 * after its start. {@code kubernetes.leader().revoke()} lets another replica lead, and
 * {@code grant()} ends this. If the application is the leader at the end of a test, it
 * stays the leader; otherwise it becomes the leader in the next test.</li>
 * <li>After each test method, the server removes faults, the request log and all objects
 * except CustomResourceDefinitions; resourceVersions keep growing. The test waits up to 5
 * seconds for the running informers, handlers and reconcilers of the context, and fails
 * with their names if some still lag behind. Objects that the application creates at its
 * start exist only in the first test.</li>
 * </ul>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(EmbeddedKubernetesParameterResolver.class)
public @interface EmbeddedKubernetesTest {

	/**
	 * Period of bookmarks, such as "200ms" or "1m".
	 * @return the period; one minute by default, as in Kubernetes
	 */
	String bookmarkInterval() default "1m";

	/**
	 * Whether to delete objects without a remaining owner, as the garbage collector of
	 * Kubernetes does.
	 * @return whether to delete them; by default they stay, because the embedded API runs
	 * no controllers
	 */
	boolean garbageCollection() default false;

	/**
	 * Whether objects of built-in types that the application writes are validated and
	 * completed as by kube-apiserver.
	 * @return {@code false} to take any content
	 * @see dev.kubeinformer.test.EmbeddedKubernetes.Builder#validation(boolean)
	 */
	boolean validation() default true;

	/**
	 * Namespace of the application: the value of {@code @current}, as in a pod of that
	 * namespace, in each of its clusters. It exists from the start and is not removed
	 * after a test.
	 * @return the namespace; "default" by default
	 */
	String namespace() default "default";

	/**
	 * Names of the application's clusters besides the default one. Each has its own
	 * embedded API with the settings of this annotation. It is a bean with the name as
	 * qualifier: {@code @Qualifier("edge") EmbeddedKubernetes}; the same holds for
	 * {@code @Qualifier("edge") ApiResources<V1Pod>}. The application connects to it
	 * regardless of {@code kubernetes.clusters.edge}, which need not be set.
	 * @return the names; none by default
	 */
	String[] clusters() default {};

	/**
	 * Whether each embedded API has the CustomResourceDefinitions of the application's
	 * classes with {@code @KubernetesResource} from the start. They are generated from
	 * the classes, as for a real cluster, and objects are validated by their schemas.
	 * @return {@code false} if the test creates the definitions itself, or tests what
	 * happens without them
	 */
	boolean definitions() default true;

}

package dev.kubeinformer.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that need a real cluster. They are tagged {@code cluster}. The system
 * property {@code kubeconfig} or the environment variable {@code KUBECONFIG} names the
 * kubeconfig of the cluster; if neither is set, the tests are skipped with this reason. A
 * parameter of type {@link java.nio.file.Path} receives the file.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
@Tag("cluster")
@ExtendWith(ClusterCondition.class)
public @interface RequiresCluster {

	/**
	 * System properties that must be set as well, such as {@code cluster.restart},
	 * because the tests have further requirements on the cluster. Without one of them,
	 * the tests are skipped.
	 * @return the names of the properties
	 */
	String[] properties() default {};

}

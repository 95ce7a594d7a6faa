package dev.kubeinformer.spring.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Restricts a method, or all non-private methods of a type, to the leader among the
 * replicas of an application. On other replicas, a call of a {@code void} method, such as
 * a {@code @Scheduled} one, is skipped; any other method throws a
 * {@code NotLeaderException}. If the term of this replica ends while the method runs, its
 * thread is interrupted.
 * <p>
 * The bean is proxied, so calls from within the bean are not intercepted. Private, static
 * and final methods with the annotation make the start fail, and so do final methods of
 * an annotated type. Methods that receive events or reconcile make the start fail, too,
 * because the events that a standby skips would be lost; use
 * {@link InformerHandler#leaderOnly()} and {@link Reconciler#leaderOnly()} instead.
 * <p>
 * On a type, the annotation applies neither to {@code @Bean} methods nor to methods that
 * the container calls to run or inspect the bean, such as {@code start()} and
 * {@code getOrder()}. For handlers and reconcilers, use {@code leaderOnly = "true"}
 * instead.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.TYPE, ElementType.METHOD })
public @interface LeaderOnly {

}
